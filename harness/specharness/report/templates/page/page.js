'use strict';
(() => {
  const form = document.getElementById('filter');
  const shown = document.getElementById('shown');
  const nothing = document.getElementById('nothing');
  const parts = [...document.querySelectorAll('[data-part]')];
  const groups = [...document.querySelectorAll('[data-group]')];
  const bulks = [...document.querySelectorAll('details.bulk')];

  const words = (text) => (text ? text.trim().split(/\s+/) : []);
  const textOf = (node, selector) => node.querySelector(selector)?.textContent ?? '';

  /* One for each case: what the filters ask of it. Its text is read at the first search. */
  const cases = [...document.querySelectorAll('.case, .rows > li')].map((node) => {
    const status = node.dataset.s ?? node.parentNode.dataset.s;
    const marks = new Map();
    if (node.dataset.c !== undefined) {
      for (const pair of words(node.dataset.c)) {
        const [clause, mark] = pair.split('=');
        marks.set(clause, mark);
      }
    } else {
      for (const clause of words(textOf(node, '.c'))) marks.set(clause, status);
    }
    return { node, status, marks, tags: words(textOf(node, '.t')), text: null };
  });

  const searched = (one) => {
    if (one.text === null) {
      const texts = one.node.querySelector('.figures')
        ? [...one.node.querySelectorAll('summary, .text')].map((part) => part.textContent)
        : [one.node.textContent];
      one.text = texts.join(' ').toLowerCase();
    }
    return one.text;
  };

  const matches = (one, { q, clause, tag, verdict }) => {
    const status = clause ? one.marks.get(clause) : one.status;
    if (status === undefined || (verdict && status !== verdict)) return false;
    if (tag && !one.tags.includes(tag)) return false;
    return q.every((word) => searched(one).includes(word));
  };

  const show = (node, visible) => {
    if (node.hidden === visible) node.hidden = !visible;
  };

  const apply = (state) => {
    const asked = { ...state, q: words(state.q.toLowerCase()) };
    const active = Object.values(state).some(Boolean);
    let count = 0;
    let last = null;
    for (const one of cases) {
      const visible = matches(one, asked);
      show(one.node, visible);
      if (visible) {
        count += 1;
        last = one.node;
      }
    }
    for (const group of groups) show(group, group.querySelector('.case:not([hidden])') !== null);
    for (const part of parts) {
      show(part, !active || part.querySelector('.case:not([hidden]), .rows > li:not([hidden])') !== null);
    }
    for (const bulk of bulks) bulk.open = active;
    if (count === 1 && last.matches('details')) last.open = true;
    nothing.hidden = count > 0;
    shown.textContent = `${count.toLocaleString('en')} of ${cases.length.toLocaleString('en')} cases`;
  };

  const names = ['q', 'clause', 'tag', 'verdict'];
  const fromForm = () => Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
  const fromHash = () => {
    const given = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
    return Object.fromEntries(names.map((name) => [name, given.get(name) ?? '']));
  };
  const toHash = (state) => new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();

  /* An option that this page has not counts as none. */
  const fill = (state) => {
    for (const name of ['q', 'clause', 'tag']) form.elements[name].value = state[name];
    for (const name of ['clause', 'tag']) form.elements[name].selectedIndex = Math.max(0, form.elements[name].selectedIndex);
    const choices = [...form.elements.verdict];
    (choices.find((choice) => choice.value === state.verdict) ?? choices[0]).checked = true;
  };

  const unescaped = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };

  const openTarget = () => {
    const id = location.hash.slice(1);
    const target = id && !id.includes('=') && document.getElementById(unescaped(id));
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.matches('details')) node.open = true;
    target.querySelector(':scope > details.bulk')?.setAttribute('open', '');
    target.scrollIntoView();
  };

  const follow = () => {
    fill(fromHash());
    apply(fromForm());
    openTarget();
  };

  let waiting = 0;
  const changed = () => {
    clearTimeout(waiting);
    const state = fromForm();
    const hash = toHash(state);
    history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
    apply(state);
  };
  form.addEventListener('input', (event) => {
    clearTimeout(waiting);
    if (event.target.name === 'q') waiting = setTimeout(changed, 120);
    else changed();
  });
  form.addEventListener('reset', () => setTimeout(changed));
  form.addEventListener('submit', (event) => event.preventDefault());

  for (const link of document.querySelectorAll('a[data-clause]')) {
    link.href = `#${toHash({ clause: link.dataset.clause, verdict: link.dataset.verdict })}`;
    link.addEventListener('click', () => setTimeout(() => {
      form.scrollIntoView();
      shown.focus({ preventScroll: true });
    }));
  }
  addEventListener('hashchange', follow);
  form.hidden = false;
  follow();
})();
