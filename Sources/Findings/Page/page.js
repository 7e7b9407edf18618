'use strict';
// Searches and filters. All findings are in the page already, and without this script they are just all shown.
(() => {
  const all = (selector, of = document) => [...of.querySelectorAll(selector)];
  const form = document.getElementById('filters');
  const numbers = text => text ? text.split(' ') : [];
  const findings = all('.finding').map(element => ({
    element, kind: element.dataset.k, plugins: numbers(element.dataset.p), slices: numbers(element.dataset.s),
    apps: numbers(element.dataset.a),
    level: ['error', 'warning', 'note'].find(level => element.classList.contains(level)),
  }));
  const ofCard = Map.groupBy(findings, one => one.element.parentElement);
  const cards = all('.card').map(element => ({ element, findings: ofCard.get(element) ?? [] }));
  const cells = all('#matrix td[data-p]').map(element => ({ element, link: element.firstElementChild, pair: element.dataset.p }));
  const kinds = all('.kinds button');
  const severity = ['note', 'warning', 'error'];
  // Two plugins that were chosen in the table.
  let pair = [];

  const text = finding => finding.text ??= finding.element.textContent.toLowerCase();
  const value = name => form?.elements[name]?.value ?? '';

  function show() {
    const words = value('text').toLowerCase().split(/\s+/).filter(Boolean);
    const [plugin, kind, level, slice, app] = ['p', 'k', 'l', 's', 'a'].map(value);
    const meetings = new Map();
    let count = 0;
    for (const one of findings) {
      const isMeant = (!kind || one.kind === kind) && (!level || one.level === level)
        && (!slice || one.slices.includes(slice)) && (!app || one.apps.includes(app));
      const isShown = isMeant && (!plugin || one.plugins.includes(plugin)) && pair.every(each => one.plugins.includes(each))
        && (!pair.length || pair[0] !== pair[1] || one.plugins.length === 1)
        && words.every(word => text(one).includes(word));
      one.element.hidden = !isShown;
      if (isShown) count += 1;
      if (isMeant) meet(meetings, one);
    }
    for (const card of cards) card.element.hidden = card.findings.every(one => one.element.hidden);
    for (const cell of cells) {
      const meeting = meetings.get(cell.pair);
      cell.link.hidden = !meeting;
      cell.link.textContent = meeting?.count ?? '';
      cell.element.className = meeting ? severity[meeting.worst] : '';
    }
    for (const button of kinds) button.setAttribute('aria-pressed', button.dataset.k === kind);
    const names = pair.map(each => form.elements.p?.options[Number(each) + 1]?.text);
    const only = names.length ? ' of ' + [...new Set(names)].join(' and ') : '';
    document.getElementById('shown').textContent = `${count} of ${findings.length} findings are shown${only}`;
  }

  // Counts a finding in each cell of the table that it belongs to.
  function meet(meetings, one) {
    const own = one.plugins.length === 1 ? [[one.plugins[0], one.plugins[0]]]
      : one.plugins.flatMap((a, index) => one.plugins.slice(index + 1).map(b => [a, b]));
    for (const key of own.map(two => two.join(' '))) {
      const meeting = meetings.get(key) ?? { count: 0, worst: 0 };
      meeting.count += 1;
      meeting.worst = Math.max(meeting.worst, severity.indexOf(one.level));
      meetings.set(key, meeting);
    }
  }

  function choose(name, chosen) {
    if (form.elements[name]) form.elements[name].value = chosen;
    show();
  }

  // Opens what an address names, whatever the filters hide.
  function reveal() {
    const element = document.getElementById(location.hash.slice(1));
    if (!element?.matches('.finding, .card')) return;
    if (form && (element.hidden || element.closest('.card')?.hidden)) {
      pair = [];
      form.reset();
      show();
    }
    if (element.matches('.finding')) element.open = true;
    element.scrollIntoView();
  }

  const open = isOpen => {
    for (const one of findings) if (!one.element.hidden) one.element.open = isOpen;
  };

  if (form) {
    form.hidden = false;
    for (const group of all('.kinds')) group.hidden = false;
    form.addEventListener('input', () => { pair = []; show(); });
    form.addEventListener('submit', event => event.preventDefault());
    form.addEventListener('reset', () => { pair = []; setTimeout(show); });
    document.getElementById('unfold').addEventListener('click', () => open(true));
    document.getElementById('fold').addEventListener('click', () => open(false));
    for (const button of kinds) button.addEventListener('click', () => choose('k', button.dataset.k));
    for (const cell of cells) {
      cell.link.addEventListener('click', event => {
        event.preventDefault();
        pair = cell.pair.split(' ');
        choose('p', '');
        const card = cards.find(one => !one.element.hidden)?.element;
        document.getElementById('findings').scrollIntoView();
        card?.querySelector('summary').focus({ preventScroll: true });
      });
    }
    for (const link of all('a[data-a]')) link.addEventListener('click', () => choose('a', link.dataset.a));
    show();
  }
  addEventListener('hashchange', reveal);
  // Paper unfolds nothing.
  addEventListener('beforeprint', () => open(true));
  reveal();
})();
