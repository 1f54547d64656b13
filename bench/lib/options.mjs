// What every bench can be told: --size small|full, --runs N, --only TEXT, and `--NAME VALUE` for its own settings.
const HELP = `options:
  --size small|full   small: seconds, to see that it works; full: what figures are taken from (default)
  --runs N            rounds of which the median counts (default 3)
  --only TEXT         only contestants whose part and name, as PART: NAME, contain this
  --set NAME=VALUE    another value for a setting of this bench; may be repeated`;

// `sizes` has the settings of each size: {small: {...}, full: {...}}.
export function parse(words, sizes) {
  const options = { size: 'full', runs: 3, only: '', set: {} };
  for (let i = 0; i < words.length; i++) {
    const [word, value] = [words[i], words[i + 1]];
    if (word === '--help') {
      console.log(HELP);
      console.log(`settings, when full:\n  ${JSON.stringify(sizes.full)}`);
      process.exit(0);
    }
    if (!['--size', '--runs', '--only', '--set'].includes(word) || value === undefined) usage(`what is '${word}'?`);
    if (word === '--size') options.size = value;
    if (word === '--runs') options.runs = +value;
    if (word === '--only') options.only = value;
    if (word === '--set') setOne(options.set, value);
    i++;
  }
  if (!sizes[options.size]) usage(`no size '${options.size}'`);
  if (!(options.runs >= 1)) usage('--runs is a number from 1');
  const settings = sizes[options.size];
  for (const name of Object.keys(options.set)) if (!(name in settings)) usage(`no setting '${name}'`);
  return { ...options, settings: { ...settings, ...options.set } };
}

function setOne(set, word) {
  const [name, value] = word.split('=');
  if (value === undefined) usage('--set wants NAME=VALUE');
  set[name] = value.includes(',') ? value.split(',').map(Number) : Number.isNaN(+value) ? value : +value;
}

function usage(what) {
  console.error(`${what}\n${HELP}`);
  process.exit(2);
}
