import assert from 'node:assert/strict';
import * as z from 'zod';
import { maySuggest, whyNoHost } from '../../../../src/tasks/readers/declaredHost.js';
import { declaredReach } from '../../../../src/tasks/readers/declaredReach.js';

describe('the hosts of a declaration', () => {
  const taken = [
    'example.com',
    'api.example.com:443',
    '*.example.com',
    '*.example.co.uk:8443',
    'xn--bcher-kva.example:443',
    'under_score.example.com',
    'localhost:8080',
    'app.localhost:8080',
    '127.0.0.1:1',
    '10.0.0.5:65535',
    '192.168.1.20:8080',
    '169.254.1.1:80',
    '1.1.1.1:443',
  ];
  for (const host of taken) it(`take ${host}`, () => assert.equal(whyNoHost(host), undefined));

  const refused: readonly (readonly [host: string, words: RegExp])[] = [
    ['*', /whole network/u],
    ['*:443', /whole network/u],
    ['*.', /dot|whole network/u],
    ['*.com', /too wide/u],
    ['*.com:443', /too wide/u],
    ['*.localhost:80', /too wide/u],
    ['*.app.localhost:80', /this machine/u],
    ['api.*.com', /beginning alone/u],
    ['**.example.com', /beginning alone/u],
    ['*example.com', /name of a host/u],
    ['*.1.1.1:443', /four numbers/u],
    ['*.169.254.169.254:80', /four numbers/u],
    ['example.com.', /end with a dot/u],
    ['example.com.:443', /end with a dot/u],
    ['Example.com', /small letters/u],
    ['user@example.com', /a user/u],
    ['user:word@example.com', /a user/u],
    ['https://example.com', /without “https/u],
    ['example.com/path', /a path/u],
    ['example.com?x', /a path/u],
    ['bücher.example', /xn--/u],
    ['exаmple.com', /xn--/u], // a letter of another script
    ['example.com ', /without spaces/u],
    ['exam\nple.com', /without spaces/u],
    ['example.com:0', /port/u],
    ['example.com:65536', /port/u],
    ['example.com:080', /port/u],
    ['example.com:', /port/u],
    ['example.com:https', /port/u],
    ['localhost', /must have a port/u],
    ['127.0.0.1', /must have a port/u],
    ['10.0.0.5', /must have a port/u],
    ['1.1.1.1', /must have a port/u],
    ['127.1:80', /four numbers/u],
    ['2130706433:80', /a dot in it/u],
    ['0x7f.0.0.1:80', /four numbers/u],
    ['0177.0.0.1:80', /four numbers/u],
    ['1.2.3.256:80', /four numbers/u],
    ['0.0.0.0:80', /one machine/u],
    ['255.255.255.255:80', /one machine/u],
    ['169.254.169.254:80', /hands out the keys/u],
    ['169.254.169.254', /hands out the keys/u],
    ['metadata.google.internal:80', /hands out the keys/u],
    ['[::1]:80', /IPv6/u],
    ['::1', /IPv6/u],
    ['fd00:ec2::254', /IPv6/u],
    ['intranet:80', /a dot in it/u],
    ['-a.example.com', /name of a host/u],
    ['a..example.com', /name of a host/u],
    ['.example.com', /name of a host/u],
  ];
  for (const [host, words] of refused)
    it(`refuse ${JSON.stringify(host)} with what to write instead`, () =>
      assert.match(whyNoHost(host) ?? 'taken', words));

  it('are told of where the declaration is read', () => {
    const read = z.object(declaredReach).safeParse({ hosts: ['api.example.com:443', '*.com'] });
    assert.match(
      read.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join() ?? '',
      /hosts\.1 is too wide/u,
    );
  });

  it('are suggested where a program wanted a plain name alone', () => {
    assert.deepEqual(['api.example.com:443', 'example.org:80'].filter(maySuggest).length, 2);
    const never = [
      '127.0.0.1:80',
      '169.254.169.254:80',
      '1.1.1.1:53',
      'localhost:22',
      'printer.local:80',
      'db.internal:1',
      'x',
      '[::1]:80',
      'a.b.:1',
      '*.example.com:1',
    ];
    assert.deepEqual(never.filter(maySuggest), []);
  });
});
