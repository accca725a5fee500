"""The same wrong outcome is the same symptom, whatever it is made of."""

import dataclasses

import pytest
from judging import make_case

from specharness.implementation.observation import Loss, Lost, Observation, Raised, Returned
from specharness.judge.symptoms import symptoms

RIGHT = {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0}
WRONG = {**RIGHT, "bonus_token": 0}
