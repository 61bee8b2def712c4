/**
 * What a program may name as a host that it reaches from the sandbox. Every form that is taken means exactly one thing; all
 * others are refused where the declaration is read, with the sentence that says what to write instead.
 */
export function whyNoHost(given: string): string | undefined {
  const odd = oddForms.find(([form]) => form.test(given));
  if (odd !== undefined) return odd[1];
  const [name = '', port] = given.split(':');
  if (port !== undefined && !isPort(port)) return 'must end with a port between 1 and 65535, or with none';
  const labels = name.replace(/^\*\./u, '').split('.');
  if (labels.length < 2 && name !== 'localhost') return tooShort(name);
  if (!labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u.test(label)))
    return 'must be the name of a host, such as “api.example.com:443”';
  return isAddress(labels) ? whyNoAddress(name, port) : whyNoName(name, port);
}

/** The first that fits is told. */
const oddForms: readonly (readonly [RegExp, string])[] = [
  [/:\/\/|[/?#@\\]/u, 'must be a host and a port alone, without “https://”, a user or a path'],
  [
    /[^\x21-\x7e]/u,
    'must be written in ASCII, without spaces: a name with other letters has a form that begins with “xn--”',
  ],
  [/[A-Z]/u, 'must be written in small letters'],
  [/[[\]]|:.*:/u, 'must not be an IPv6 address: write the name of the host'],
  [/\.(?::|$)/u, 'must not end with a dot'],
  [/^\*$|^\*:|^\*\.?$/u, 'must name a host: “*” alone would open the whole network'],
  [/.\*/u, 'may have a “*” at its beginning alone, as in “*.example.com”'],
];

function tooShort(name: string): string {
  return name.startsWith('*.')
    ? 'is too wide: “*” may stand before a name with a dot in it, as in “*.example.com”'
    : 'must be a whole name with a dot in it, such as “api.example.com”, or “localhost” with its port';
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/u.test(text) && Number(text) <= 65_535;
}

/** What ends with a number is read as an address by all who connect: 127.1 and 0x7f.0.0.1 too. */
function isAddress(labels: readonly string[]): boolean {
  return /^(?:\d+|0x[0-9a-f]*)$/u.test(labels.at(-1) ?? '');
}

const needsPort = 'is an address, so it must have a port, as in “192.168.1.20:8080”';

function whyNoAddress(name: string, port: string | undefined): string | undefined {
  const parts = name.split('.');
  const whole = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/u.test(part) && Number(part) <= 255);
  if (!whole) return 'must be a whole IPv4 address of four numbers, without “*”, or the name of a host';
  if (neverOpened.has(name)) return clouds;
  if (/^(?:0|22[4-9]|23\d|24\d|25[0-5])\./u.test(name)) return 'is not the address of one machine';
  return port === undefined ? needsPort : undefined;
}

function whyNoName(name: string, port: string | undefined): string | undefined {
  if (neverOpened.has(name)) return clouds;
  const ofThisMachine = name === 'localhost' || name.endsWith('.localhost');
  if (ofThisMachine && name.startsWith('*')) return 'must name this machine as “localhost” with a port';
  return ofThisMachine && port === undefined
    ? 'is this machine, so it must have a port, as in “localhost:8080”: without one every service here would be open'
    : undefined;
}

const clouds = 'is where a cloud hands out the keys of its machines: it stays closed';

/** Where clouds answer their machines. */
const neverOpened: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'metadata.google.internal',
  'metadata.goog',
]);

/** Whether a host that a program wanted may be named to the person as one to add: never one of this machine or its network. */
export function maySuggest(host: string): boolean {
  const [name = ''] = host.split(':');
  return (
    whyNoHost(host) === undefined &&
    !name.startsWith('*') &&
    !isAddress(name.split('.')) &&
    !/(?:^|\.)(?:localhost|local|internal|lan)$/u.test(name)
  );
}
