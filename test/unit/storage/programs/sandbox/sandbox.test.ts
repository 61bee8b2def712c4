import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import type { Sandbox } from '../../../../../src/ports/sandbox.js';
import { findTools } from '../../../../../src/storage/programs/sandbox/sandboxTools.js';
import type { SandboxRefusal } from '../../../../../src/storage/programs/sandbox/messages.js';
import {
  aSandbox,
  aScript,
  needsSandbox,
  onDisk,
  saidIn,
  sandboxHelper,
  theSandbox,
} from '../../../../builders/aSandbox.js';
import { few, inFull, isFull } from '../../../../builders/few.js';
import { neverAborted, scrapMachines } from '../../../../builders/storage.js';
import { aRequest, keepsContractOfPrograms } from '../programsContract.js';

describe('the sandbox', () => {
  let sandbox: Sandbox;
  const limits = { processes: 60, memoryBytes: 300 * 1024 ** 2, diskBytes: 20 * 1024 ** 2 };
  const refused: SandboxRefusal[] = [];
  const limited = aSandbox({ limits, onRefused: (each) => refused.push(each) });
  before(async function () {
    await needsSandbox(this);
    sandbox = theSandbox();
  });
  after(scrapMachines);

  keepsContractOfPrograms(() => sandbox);

  describe('of the traps of its library', () => {
    it('leaves the folder of a program alone: git works there, with files that the library guards', async () => {
      const script = `touch .mcp.json .bashrc && mkdir -p .vscode && echo 1 > .vscode/settings.json
        git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -q -m x && git ls-files`;
      const result = await sandbox.run(aScript(script), neverAborted);
      assert.equal(saidIn(result), '.bashrc\n.mcp.json\n.vscode/settings.json\n');
    });

    it('shows closed folders as empty ones, in which what is written is gone with the program', async () => {
      const file = path.join(os.homedir(), '.whetstone-sandbox-test');
      const script = `echo x > '${file}' && cat '${file}' && ls -A "$(dirname '${file}')" | head -3`;
      const result = await sandbox.run(aScript(script), neverAborted);
      assert.match(saidIn(result), /^x\n/u);
      assert.equal(existsSync(file), false);
    });

    it('refuses to open a folder that holds its own: what may be read there could no longer be written', async () => {
      const result = await sandbox.run(aScript('true', { reach: { reads: ['/tmp'] } }), neverAborted);
      assert.deepEqual(result.kind, 'not-started');
      assert.match(JSON.stringify(result), /may not be read as a whole/u);
    });

    it('gives temporary files a folder that is there', async () => {
      const result = await sandbox.run(
        aScript('f=$(mktemp) && echo in "$f" && test -d "$TMPDIR" && echo yes'),
        neverAborted,
      );
      assert.match(saidIn(result), /^in \/.*\/tmp\/tmp\.\w+\nyes\n$/u);
    });

    it('works where its own files lie in a closed folder, as an extension does', async () => {
      await onDisk('/tmp', async (folder) => {
        await copyFile(sandboxHelper, path.join(folder, 'sandbox.js'));
        await cp(path.join(path.dirname(sandboxHelper), 'vendor'), path.join(folder, 'vendor'), { recursive: true });
        const elsewhere = aSandbox({ helper: path.join(folder, 'sandbox.js'), home: folder });
        assert.equal(saidIn(await elsewhere.run(aScript('echo here'), neverAborted)), 'here\n');
      });
    });

    it('lets a program reach a port of this machine that it is given, with or without a proxy, and no other', async () => {
      await served(async (port) => {
        await served(async (other) => {
          const request = aRequest(`${fetched(port)}.then(() => ${fetched(other)})`, { reach: { ports: [port] } });
          assert.equal(saidIn(await sandbox.run(request, neverAborted)), `served ${port}\nrefused\n`);
          const proxied = aScript(`${curl(port)}; ${curl(other)}`, { reach: { ports: [port] } });
          assert.match(saidIn(await sandbox.run(proxied, neverAborted)), /^served \d+\nConnection blocked/u);
          const none = aRequest(fetched(port));
          assert.match(saidIn(await sandbox.run(none, neverAborted)), /^refused/u);
        });
      });
    });

    it('keeps programs that run at the same time from each other: their folders, and their hosts', async () => {
      await served(async (port) => {
        const looking = `echo mine > mine; sleep 1; cat ../*/mine | wc -l
          curl -s --noproxy '' -m 5 http://127.0.0.1:${port}/; echo`;
        const [one, two] = await Promise.all([
          sandbox.run(aScript(looking, { reach: { ports: [port] } }), neverAborted),
          sandbox.run(aScript(looking), neverAborted),
        ]);
        assert.match(saidIn(one), /^1\nserved/u);
        assert.match(saidIn(two), /^1\nConnection blocked/u);
      });
    });

    it('hands on nothing that the one who starts it has open, nor the memory and queues that processes share', async () => {
      const script = `ls /proc/self/fd | tr '\\n' ' '; readlink /proc/self/ns/ipc`;
      const [, descriptors = '', ipc = ''] =
        /^([\d ]+) (ipc:\S+)/u.exec(saidIn(await sandbox.run(aScript(script), neverAborted))) ?? [];
      assert.match(descriptors, /^0 1 2 3$/u); // the last one is how ls looks
      assert.notEqual(ipc, await readlink('/proc/self/ns/ipc'));
    });

    it('keeps what would be a sandbox of its own, and Unix sockets, from a program', async () => {
      const script = `bwrap --ro-bind / / true 2>/dev/null && echo nested
        unshare -U true 2>/dev/null && echo unshared
        python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2>&1 | tail -1`;
      assert.match(saidIn(await sandbox.run(aScript(script), neverAborted)), /^PermissionError/u);
    });

    it('leaves nothing of a program behind, hooks that it wrote and processes that it left included', async () => {
      const script = `git init -q . && echo 'touch /tmp/x' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit
        (setsid sleep 321 >/dev/null 2>&1 &) ; echo "$PWD"`;
      const result = await sandbox.run(aScript(script), neverAborted);
      assert.equal(existsSync(saidIn(result).trim()), false);
      assert.deepEqual(await readdir(path.dirname(saidIn(result).trim())), []); // nor anything of other attempts
      assert.equal(await isRunning('sleep 321'), false);
    });

    it('closes the folder of the library for temporary files, which every command may otherwise write', async () => {
      await mkdir('/tmp/claude', { recursive: true });
      try {
        await writeFile('/tmp/claude/whetstone-secret', 'secret');
        const script = 'cat /tmp/claude/whetstone-secret; echo x > /tmp/claude/whetstone-written; true';
        assert.match(saidIn(await sandbox.run(aScript(script), neverAborted)), /^cat: .*No such file/u);
        assert.equal(existsSync('/tmp/claude/whetstone-written'), false);
      } finally {
        // The folder stays: a sandbox that another process is just starting may have seen it.
        await rm('/tmp/claude/whetstone-secret', { force: true });
      }
    });
  });

  describe('fails closed', () => {
    const here = process.env['PATH'] ?? '';

    it('names the programs that it needs, with the line that installs them', async () => {
      const state = await aSandbox({ environment: { PATH: '' }, closed: ['/usr', '/bin'] }).state(neverAborted);
      assert.equal(state.kind, 'missing');
      assert.deepEqual(state.programs, ['bubblewrap', 'socat', 'ripgrep', 'util-linux', 'bash']);
      assert.match(state.install, /^sudo .* bubblewrap socat ripgrep util-linux bash$/u);
    });

    it('takes the ripgrep of an editor, and nothing of the workspace', async () => {
      await onDisk('/var/tmp', async (folder) => {
        const workspace = path.join(folder, 'workspace');
        await mkdir(workspace);
        await mkdir(path.join(folder, 'bin'));
        for (const name of ['bwrap', 'socat', 'rg', 'prlimit']) await aTool(path.join(workspace, name), 'exit 1');
        for (const name of ['bwrap', 'socat', 'prlimit', 'bash'])
          await aTool(path.join(folder, 'bin', name), `exec /usr/bin/${name} "$@"`);
        const environment = { PATH: `${workspace}:${folder}/bin` };
        const parts = { environment, closed: [workspace, '/usr', '/bin'] };
        const without = await aSandbox(parts).state(neverAborted);
        assert.deepEqual(without.kind === 'missing' && without.programs, ['ripgrep']);
        const rg = path.join(folder, 'rg');
        await aTool(rg, 'exec /usr/bin/rg "$@"');
        assert.notEqual((await aSandbox({ ...parts, ripgrep: [rg] }).state(neverAborted)).kind, 'missing');
      });
    });

    it('starts nothing that a workspace put on the PATH outside of it', async () => {
      await onDisk('/var/tmp', async (folder) => {
        const workspace = path.join(folder, 'workspace');
        await mkdir(workspace);
        const started = path.join(folder, 'started');
        for (const name of ['bash', 'sh', 'bwrap', 'socat', 'rg', 'prlimit', 'npm', 'git', 'which', 'env'])
          await aTool(path.join(workspace, name), `echo ${name} >> ${started}; exit 1`);
        const own = aSandbox({ environment: { ...process.env, PATH: `${workspace}:${here}` }, closed: [workspace] });
        assert.equal(saidIn(await own.run(aScript('echo ran'), neverAborted)), 'ran\n');
        assert.equal(existsSync(started), false);
      });
    });

    it('takes no tool that a link leads to in the workspace, by the folder or by the file', async () => {
      await onDisk('/var/tmp', async (folder) => {
        const at = (...names: string[]): string => path.join(folder, ...names);
        await mkdir(at('workspace', 'bin'), { recursive: true });
        await mkdir(at('linked'));
        await aTool(at('workspace', 'bin', 'bwrap'), 'exit 1');
        await symlink(at('workspace', 'bin'), at('bin'));
        await symlink(at('workspace', 'bin', 'bwrap'), at('linked', 'bwrap'));
        await symlink(at('workspace'), at('other'));
        const PATH = `${at('bin')}:${at('linked')}:/usr/bin:/bin`;
        for (const closed of [[at('workspace')], [at('other')]]) {
          const found = await findTools(PATH, { closed });
          assert.ok('bwrap' in found && !found.bwrap.startsWith(folder), JSON.stringify(found));
        }
      });
    });

    it('takes no tool of the clone around, of its packages, or of the folder that it is called in', async () => {
      await onDisk('/var/tmp', async (folder) => {
        const at = (...names: string[]): string => path.join(folder, ...names);
        await mkdir(at('clone', 'skills', '.whetstone'), { recursive: true });
        await mkdir(at('clone', '.git'));
        const PATH = `${at('clone', 'tools')}:${at('clone', 'node_modules', '.bin')}:/usr/bin:/bin`;
        for (const place of PATH.split(':').slice(0, 2)) {
          await mkdir(place, { recursive: true });
          await aTool(path.join(place, 'bwrap'), 'exit 1');
        }
        const isOfSystem = async (closed: readonly string[]): Promise<boolean> => {
          const found = await findTools(PATH, { closed });
          return 'bwrap' in found && !found.bwrap.startsWith(folder);
        };
        assert.ok(await isOfSystem([at('clone', 'skills')]));
        assert.equal(await isOfSystem([]), false); // nothing says that it is a clone of ours
        const before = process.cwd();
        try {
          process.chdir(at('clone', 'skills'));
          assert.ok(await isOfSystem([]));
        } finally {
          process.chdir(before);
        }
      });
    });

    it('finds its tools where the root is the workspace, and says that nothing of it can be closed', async () => {
      assert.ok('bwrap' in (await findTools('/usr/bin', { closed: ['/'] })));
      const state = await aSandbox({ closed: ['/'] }).state(neverAborted);
      assert.match(state.kind === 'unsupported' ? state.reason : state.kind, /root of the file system/u);
    });

    for (const [platform, words] of [
      ['win32', /WSL 2/u],
      ['darwin', /Linux alone/u],
    ] as const) {
      it(`says why there is none on ${platform}`, async () => {
        const state = await aSandbox({ platform }).state(neverAborted);
        assert.match(state.kind === 'unsupported' ? state.reason : state.kind, words);
      });
    }

    it('takes a warning of the library for an error: without its native file Unix sockets would be open', async () => {
      await onDisk('/tmp', async (folder) => {
        await copyFile(sandboxHelper, path.join(folder, 'sandbox.js'));
        const broken = aSandbox({ helper: path.join(folder, 'sandbox.js') });
        const [state, ran] = await Promise.all([
          broken.state(neverAborted),
          broken.run(aScript('echo ran'), neverAborted),
        ]);
        assert.match(state.kind === 'unsupported' ? state.reason : state.kind, /seccomp/u);
        assert.equal(ran.kind, 'not-started');
      });
    });

    const brokenWraps: readonly (readonly [name: string, script: string, words: RegExp])[] = [
      [
        'what is to contain runs everything as it is',
        '[ "$1" = --version ] && exec REAL --version; while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
        /lets programs/u,
      ],
      [
        'the system allows no namespaces',
        'echo "bwrap: Creating new namespace failed" >&2; exit 1',
        /namespace failed/u,
      ],
      [
        'it is too old',
        'if [ "$1" = --version ]; then echo bubblewrap 0.4.0; else exec REAL "$@"; fi',
        /0\.4\.0|older/u,
      ],
    ];
    for (const [name, script, words] of few(brokenWraps)) {
      it(`runs nothing where ${name}`, async () => {
        await onDisk('/var/tmp', async (folder) => {
          await aTool(path.join(folder, 'bwrap'), script.replace('REAL', '/usr/bin/bwrap'));
          const broken = aSandbox({ environment: { ...process.env, PATH: `${folder}:${here}` } });
          const [state, ran] = await Promise.all([
            broken.state(neverAborted),
            broken.run(aScript('echo ran'), neverAborted),
          ]);
          assert.match(state.kind === 'unsupported' ? state.reason : state.kind, words);
          assert.equal(ran.kind, 'not-started');
        });
      });
    }
  });

  it('warns of nobody who listens, however many programs run at the same time', async () => {
    const warnings: string[] = [];
    const hear = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', hear);
    try {
      const { signal } = new AbortController();
      // Who listens is there from the request on: in the short numbers what is asked for is not found.
      const command = isFull ? '/bin/true' : '/no/such/program';
      await Promise.all(Array.from({ length: 12 }, () => sandbox.run(aScript('', { command, arguments: [] }), signal)));
      await new Promise((resolve) => setImmediate(resolve)); // warnings come a turn later
    } finally {
      process.off('warning', hear);
    }
    assert.deepEqual(warnings, []);
  });

  it('goes on after its helper was ended, and what ran there was not started', async () => {
    const others = await helpers();
    await limited.state(neverAborted);
    const running = limited.run(aScript('sleep 30'), neverAborted);
    const [pid = 0] = (await helpers()).filter((each) => !others.includes(each));
    assert.ok(pid > 0);
    process.kill(pid, 'SIGKILL');
    assert.deepEqual((await running).kind, 'not-started');
    assert.equal(saidIn(await limited.run(aScript('echo again'), neverAborted)), 'again\n');
  });

  it('opens what a program was installed to, and what its declaration names', async () => {
    await onDisk('/tmp', async (home) => {
      const tool = path.join(home, '.volta');
      await mkdir(path.join(tool, 'bin'), { recursive: true });
      await writeFile(path.join(tool, 'words'), 'installed\n');
      await aTool(path.join(tool, 'bin', 'say'), 'cat "$(dirname "$0")/../words"; cat "$1"');
      await writeFile(path.join(home, 'data'), 'declared\n');
      await writeFile(path.join(home, 'secret'), 'secret\n');
      const own = aSandbox({ home, environment: { PATH: `${tool}/bin:/usr/bin:/bin` } });
      const words = (file: string) => ({ command: 'say', arguments: [path.join(home, file)] });
      const said = await own.run(aScript('', { ...words('data'), reach: { reads: ['~/data'] } }), neverAborted);
      assert.equal(saidIn(said), 'installed\ndeclared\n');
      await symlink(path.join(home, 'data'), path.join(home, 'linked'));
      const linked = await own.run(aScript('', { ...words('linked'), reach: { reads: ['~/linked'] } }), neverAborted);
      assert.equal(saidIn(linked), 'installed\ndeclared\n');
      const closed = await own.run(aScript('', words('secret')), neverAborted);
      assert.match(saidIn(closed), /^installed\n.*No such file/u);
      assert.match(saidIn(closed), /from reading .*secret: if it needs it, add "reads": \[".*secret"\]/u);
    });
  });

  it('opens nothing of the workspace, of answers or of our state, by no name', async () => {
    await onDisk('/var/tmp', async (folder) => {
      const at = (...names: string[]): string => path.join(folder, ...names);
      for (const name of ['state', 'work/evals', 'work/bin', 'home/bin']) await mkdir(at(name), { recursive: true });
      for (const name of ['state', 'work/evals', 'work/bin', 'work', 'home'])
        await writeFile(at(name, 'secret'), 'secret');
      await aTool(at('work/bin/tool'), 'cat "$(dirname "$0")"/secret');
      await symlink(at('work/evals/secret'), at('home/link'));
      await symlink(at('work/bin/tool'), at('home/bin/tool'));
      const environment = { PATH: `${at('home/bin')}:${at('work/bin')}:/usr/bin:/bin` };
      const own = aSandbox({ home: at('home'), closed: [at('work'), at('state')], sealed: [at('state')], environment });
      for (const place of [at('home/link'), at('state/secret'), at('work')]) {
        const read = await own.run(aScript(`cat ${place}`, { reach: { reads: [place] } }), neverAborted);
        assert.match(JSON.stringify(read), /not-started.*may not be read/u);
      }
      for (const command of ['tool', at('work/bin/tool')])
        assert.doesNotMatch(saidIn(await own.run(aScript('', { command, arguments: [] }), neverAborted)), /secret$/mu);
      const found = await own.run(
        aScript(`cat ${at('work/bin')}/secret ${at('home/secret')} ${at('work/secret')}`),
        neverAborted,
      );
      assert.equal(found.kind === 'exited' && found.output, '');
    });
  });

  it('names a host that it refused, once for the report and at the end of what a program says', async () => {
    const script = 'curl -sS -m 5 https://example.com/';
    for (let round = 0; round < 2; round += 1)
      assert.match(
        saidIn(await limited.run(aScript(script), neverAborted)),
        /add "hosts": \["example.com:443"\] to its declaration/u,
      );
    assert.deepEqual(refused, [{ kind: 'host', what: 'example.com:443', advice: 'declare' }]);
  });

  it('reaches a declared port of this machine as any client does, and no other', async () => {
    await served(async (port) => {
      await served(async (other) => {
        const script = [port, other]
          .map((at) => `curl -s -m 5 http://127.0.0.1:${at}/ || echo refused; echo`)
          .join(';');
        const said = saidIn(
          await limited.run(aScript(script, { reach: { hosts: [`127.0.0.1:${port}`] } }), neverAborted),
        );
        assert.match(said, new RegExp(`^served ${port}\\nrefused`, 'u'));
      });
    });
  });

  inFull('reaches a declared host at its port alone, and no name under a star that leads to this machine', async () => {
    await served(async (port) => {
      await served(async (other) => {
        const script = [`localhost:${port}`, `localhost:${other}`, `127.0.0.1:${other}`].map(curlOf).join(';');
        const reach = { hosts: [`localhost:${port}`] };
        assert.match(
          saidIn(await sandbox.run(aScript(script, { reach }), neverAborted)),
          /^served \d+\n(?:.*blocked.*\n\n?){2}/u,
        );
        const starred = { hosts: ['*.app.example.com', `*.example.com:${port}`] };
        const names = ['localhost', '127.0.0.1', 'example.com', 'a.example.com'].map((name) =>
          curlOf(`${name}:${other}`),
        );
        assert.doesNotMatch(
          saidIn(await sandbox.run(aScript(names.join(';'), { reach: starred }), neverAborted)),
          /served/u,
        );
      });
    });
  });

  inFull(
    'shows a program its keys masked, and puts the real ones into what it sends to its hosts, encrypted, alone',
    async () => {
      await onDisk('/tmp', async (folder) => {
        const [key, certificate] = [path.join(folder, 'key'), path.join(folder, 'certificate')];
        const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
        const made = [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-keyout',
          key,
          '-out',
          certificate,
        ];
        execFileSync('openssl', [...made, ...names], { stdio: 'ignore' });
        const asked: (string | undefined)[] = [];
        const hear: http.RequestListener = (request, response) => {
          asked.push(request.headers.authorization);
          response.end('heard');
        };
        const server = https.createServer({ key: await readFile(key), cert: await readFile(certificate) }, hear);
        const open = http.createServer(hear);
        await listening(server, async (port) =>
          listening(open, async (plain) => {
            const environment = { ...process.env, NODE_EXTRA_CA_CERTS: certificate };
            const own = aSandbox({ masks: true, environment });
            const script = `echo "$API_KEY"; ${withKey(`https://localhost:${port}/`)}; ${withKey(`http://localhost:${plain}/`)}`;
            const hosts = [`localhost:${port}`, `localhost:${plain}`];
            const reach = { hosts, secrets: { API_KEY: 'a-real-key-of-32-characters-long' } };
            const result = await own.run(aScript(script, { reach }), neverAborted);
            assert.match(saidIn(result), /^fake_value_\S+\nheard\nheard\n$/u);
            const [encrypted = '', inTheClear = ''] = asked;
            assert.equal(encrypted, 'a-real-key-of-32-characters-long');
            assert.match(inTheClear, /^fake_value_/u);
          }),
        );
      });
    },
  );

  describe('ends a program that takes too much', () => {
    const cases: readonly (readonly [name: string, script: string, words: RegExp])[] = [
      [
        'processes',
        'python3 -c "import os, time\nfor i in range(150): os.fork() or (time.sleep(9), os._exit(0))"',
        /more than 60 processes|Resource/u,
      ],
      [
        'memory',
        'python3 -c "x = [bytes([1]) * 1000000 for _ in range(2000)]; import time; time.sleep(9)"',
        /MemoryError|memory/u,
      ],
      [
        'disk, in many files',
        'for i in $(seq 60); do head -c 1000000 /dev/zero > $i; done; sleep 9',
        /more than 20 MB/u,
      ],
      ['disk, in one file', 'exec head -c 100000000 /dev/zero > big', /a file of more than 20 MB/u],
      [
        'places that vanish',
        'mkdir -p ~root /root/x; for i in $(seq 40); do head -c 10000000 /dev/zero > /root/x/$i; done; sleep 9',
        /memory|No space/u,
      ],
    ];
    for (const [name, script, words] of few(cases, 2)) {
      it(`of ${name}`, async () => {
        const began = performance.now();
        const result = await limited.run(aScript(script), neverAborted);
        assert.match(saidIn(result), words);
        assert.ok(performance.now() - began < 15_000);
      });
    }
  });
});

/** Node asks no proxy. */
function fetched(port: number): string {
  return `fetch('http://127.0.0.1:${port}/').then((r) => r.text()).then(console.log, () => console.log('refused'))`;
}

function curl(port: number): string {
  return curlOf(`127.0.0.1:${port}`);
}

function curlOf(host: string): string {
  return `curl -s --noproxy '' -m 5 http://${host}/ || echo refused; echo`;
}

function withKey(url: string): string {
  return `curl -s --noproxy '' -H "authorization: $API_KEY" ${url}; echo`;
}

async function aTool(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/bash\n${script}\n`);
  await chmod(file, 0o755);
}

/** A server of this machine, which says its port. */
async function served(work: (port: number) => Promise<void>): Promise<void> {
  const server = http.createServer((_, response) => response.end(`served ${portOf(server)}`));
  await listening(server, work);
}

async function listening(server: http.Server, work: (port: number) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(portOf(server));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function portOf(server: http.Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function isRunning(words: string): Promise<boolean> {
  return (await commandLines()).some(({ line }) => line.startsWith(words));
}

/** The helper processes that this one has started. */
async function helpers(): Promise<readonly number[]> {
  const all = await commandLines();
  return all.filter(({ line, parent }) => line.includes('sandbox.js') && parent === process.pid).map(({ pid }) => pid);
}

async function commandLines(): Promise<readonly { pid: number; parent: number; line: string }[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1);
  return Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid, parent: Number(parent), line: line.replaceAll('\0', ' ') };
    }),
  );
}
