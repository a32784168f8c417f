const note = '<!-- Written by `npm run docs:api` from the docstrings in src. Change those, not this page. -->';

const groups = [
  { kind: 'function', title: 'Functions' },
  { kind: 'class', title: 'Classes' },
  { kind: 'error', title: 'Errors' },
  { kind: 'type', title: 'Types' },
];

/** The list of all entries. */
export function indexPage(entries) {
  const rows = entries.map(({ name, page, doc }) => `| [\`${name}\`](${page}) | ${firstSentence(doc)} |`);
  return text(
    note,
    '# API reference',
    'One page an entry of the package. What an entry does not export is not part of the interface and may change.',
    ['| entry | what it is for |', '| --- | --- |', ...rows].join('\n'),
  );
}

/** One entry: what it is for, its exports in short, then each of them. */
export function pageOf(entry, entries) {
  const present = groups
    .map((group) => ({ ...group, members: entry.members.filter(({ kind }) => kind === group.kind) }))
    .filter(({ members }) => members.length > 0);
  return text(
    note,
    `# \`${entry.name}\``,
    entry.doc,
    present
      .map(
        ({ title, members }) =>
          `- ${title}: ${members.map(({ name }) => `[\`${name}\`](#${anchor(name)})`).join(', ')}`,
      )
      .join('\n'),
    ...present.flatMap(({ title, members }) => [
      `## ${title}`,
      ...members.map((member) => sectionOf(member, entry, entries)),
    ]),
  );
}

function sectionOf({ name, doc, code, uses, source }, entry, entries) {
  const links = uses.map((each) => linkTo(each, entry, entries)).filter((link) => link !== null);
  return [
    `### ${name}`,
    doc,
    `\`\`\`ts\n${code}\n\`\`\``,
    [`[Source](../../${source})`, ...(links.length > 0 ? [`Uses ${links.join(', ')}`] : [])].join(' · '),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** To a name on this page, else on another one; null where no entry exports it. */
function linkTo(name, entry, entries) {
  const holder = [entry, ...entries].find(({ members }) => members.some((member) => member.name === name));
  if (holder === undefined) return null;
  return `[\`${name}\`](${holder === entry ? '' : holder.page}#${anchor(name)})`;
}

function anchor(heading) {
  return heading.toLowerCase();
}

function firstSentence(doc) {
  return doc
    .replaceAll('\n', ' ')
    .replace(/^The entry `[^`]+`: /, '')
    .replace(/\. .*$/, '.');
}

function text(...parts) {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
