import assert from 'node:assert/strict';
import { modelName, ownServer, typedModel } from '../../../src/queue/told/modelNames.js';
import { isLastWord, redisTrouble } from '../../../src/queue/told/redisTrouble.js';

interface Row {
  readonly said: string;
  readonly encrypted: boolean;
  readonly message: RegExp;
  readonly cure: RegExp;
  readonly waits: boolean;
}

const rows: readonly Row[] = [
  {
    said: 'self-signed certificate in certificate chain',
    encrypted: true,
    message: /self-signed certificate in certificate chain\.$/,
    cure: /NODE_EXTRA_CA_CERTS/,
    waits: false,
  },
  {
    said: 'Protocol error, got "H" as reply type byte. Please report this.',
    encrypted: false,
    message: /something else than Redis answers there\.$/,
    cure: /which port/,
    waits: false,
  },
  {
    said: 'Protocol error, got "\u0015" as reply type byte. Please report this.',
    encrypted: false,
    message: /it speaks TLS\.$/,
    cure: /rediss:/,
    waits: false,
  },
  {
    said: 'Client network socket disconnected before secure TLS connection was established',
    encrypted: true,
    message: /It may speak no TLS\.$/,
    cure: /listens with TLS/,
    waits: true,
  },
  { said: 'connect ECONNREFUSED', encrypted: true, message: /ECONNREFUSED\.$/, cure: /Redis runs there/, waits: true },
  { said: 'no answer', encrypted: false, message: /no answer\.$/, cure: /Redis runs there/, waits: true },
];

describe('a queue that cannot be used', () => {
  for (const { said, encrypted, message, cure, waits } of rows)
    it(`is told with its cure: ${JSON.stringify(said)}`, () => {
      const trouble = redisTrouble({ shown: 'redis://localhost:6379', encrypted }, said);
      assert.match(trouble.message, message);
      assert.match(trouble.cure, cure);
      assert.equal(isLastWord(said), !waits);
    });
});

describe('a model on a queue', () => {
  const custom = { provider: 'custom', endpoint: 'http://localhost:7411/v1', model: 'coder', simulated: false };
  const table = [
    [custom, 'custom/coder', 'localhost:7411', 'http://localhost:7411/v1#coder'],
    [
      { ...custom, options: 'num_ctx=9' },
      'custom/coder',
      'localhost:7411',
      "'http://localhost:7411/v1#coder?num_ctx=9'",
    ],
    [
      { provider: 'openai', endpoint: 'https://api.openai.com/v1', model: 'gpt-5-mini', simulated: false },
      'openai/gpt-5-mini',
      undefined,
      'openai/gpt-5-mini',
    ],
    [
      {
        provider: 'claude-code',
        endpoint: 'agent:claude-code',
        model: 'default',
        simulated: false,
        options: 'version=2.1.0',
      },
      'claude-code/default',
      undefined,
      'claude-code',
    ],
    [
      { provider: 'simulated', endpoint: '', model: 'simulated-1', simulated: true },
      'simulated/simulated-1',
      undefined,
      'simulated',
    ],
  ] as const;
  for (const [identity, name, server, typed] of table)
    it(`is named, placed and typed: ${typed}`, () =>
      assert.deepEqual([modelName(identity), ownServer(identity), typedModel(identity)], [name, server, typed]));
});
