import assert from 'node:assert/strict';
import { readSource, sourceFiles } from './sourceFiles.js';

const fileWriters =
  'appendFile chmod chown copyFile cp createWriteStream lchown link lutimes mkdir mkdtemp open rename rm rmdir symlink truncate unlink utimes write writeFile writev';
const writers = new Set(fileWriters.split(' ').flatMap((name) => [name, `${name}Sync`]));

/** Who may call what of Node, each with the reason. A file of the workspace is written through `storage/files/writeInside`. */
const rawWrites: Readonly<Record<string, readonly string[]>> = {
  // The doors: a whole file, a file of the workspace, a folder in user state.
  'storage/files/durableWrite.ts': ['open', 'rename', 'unlink'],
  'storage/files/writeInside.ts': ['mkdir', 'open', 'rm', 'rmdir', 'unlink'],
  'storage/files/insideFolder.ts': ['mkdir'],
  // Opens what somebody wrote as an answer, to read it and to follow no link.
  'storage/handoff/answerFile.ts': ['open'],
  // Closes a folder of prompts to others, where a clone brought it.
  'storage/handoff/ownFolder.ts': ['chmod'],
  // User state: locks, spend, replies, backups, the key, what is no longer needed.
  'storage/files/contentStore.ts': ['unlink', 'utimes'],
  'storage/files/lock.ts': ['mkdir'],
  'storage/files/lockFile.ts': ['open', 'unlink'],
  'storage/adoption/recover.ts': ['unlink'],
  'storage/runs/replies.ts': ['renameSync', 'rmSync', 'writeFileSync'],
  'storage/spend/spendFile.ts': ['open', 'writeSync'],
  'storage/state/knownSkills.ts': ['unlink'],
  'storage/state/retention.ts': ['rm', 'unlink'],
  'storage/state/stateKey.ts': ['chmod', 'copyFile', 'link', 'unlink'],
  'storage/state/store.ts': ['mkdir'],
  'storage/state/userState.ts': ['chmod', 'mkdir'],
  // Makes `.whetstone`, tries out what its file system can do, and moves back what user state kept for it.
  'storage/state/fileSystemFault.ts': ['mkdtemp', 'open', 'rename', 'rm', 'writeFile'],
  'storage/state/bringBack.ts': ['cp', 'rename', 'rm', 'unlink'],
  // A folder that the person named on the command line; files in it go through the door.
  'storage/files/outFolder.ts': ['mkdir'],
  // A temporary folder of its own.
  'storage/programs/agentPrograms.ts': ['mkdir'],
  'storage/programs/ownedFolder.ts': ['mkdtemp', 'writeFile'],
  'app/environments/workerPrograms.ts': ['mkdir'],
  // A list that the person named on the command line: lines are added to it.
  'storage/programs/allowedPrograms.ts': ['appendFile'],
  // Opens files of other programs to read them, and the copy of a database in a temporary folder of its own.
  'storage/harvest/quietFile.ts': ['open'],
  'storage/harvest/databaseRows.ts': ['open', 'rm'],
  // Opens what a program may have put there, to read it and to follow no link.
  'storage/programs/readPlainFile.ts': ['open'],
  'storage/programs/throwAwayCopy.ts': ['chmod', 'cp', 'mkdtemp', 'rm'],
  // The sandbox: the folders of one attempt and of the helper process, a file that nobody may reach, a group of the kernel's.
  'storage/programs/sandbox/containment.ts': ['mkdir', 'mkdtemp', 'writeFile'],
  'storage/programs/sandbox/controlGroup.ts': ['mkdir', 'rmdir', 'writeFile'],
  'storage/programs/sandbox/serveSandbox.ts': ['rm'],
  'storage/programs/sandbox/probe.ts': ['mkdtemp', 'rm', 'writeFile'],
  'storage/programs/sandbox/sandbox.ts': ['mkdir'],
  // The folders of one attempt of an agent, in a temporary folder of its own; what is looked through there may have to be opened.
  'storage/programs/workplace/attemptPlace.ts': ['chmod', 'mkdir'],
  'storage/programs/workplace/leftFiles.ts': ['chmod'],
  'storage/programs/workplace/ownGit.ts': ['chmod', 'mkdir', 'rename', 'writeFile'],
  'storage/programs/workplace/workTree.ts': ['symlink', 'writeFile'],
  'storage/programs/workplace/writeInside.ts': ['chmod', 'mkdir', 'rm', 'writeFile'],
  'app/osSchedule/osBareDoctor.ts': ['mkdtemp', 'rm', 'writeFile'],
  'cli/commands/demo.ts': ['cp', 'mkdtemp'],
  // The schedule of the operating system, in the person's home.
  'app/osSchedule/installedSchedule.ts': ['unlink'],
  'app/osSchedule/nightProgram.ts': ['copyFile', 'mkdir', 'rename', 'rm', 'unlink'],
  'app/osSchedule/osInstallation.ts': ['mkdir', 'unlink'],
  'app/osSchedule/osScheduler.ts': ['mkdir', 'open', 'rename', 'unlink'],
};

/** Who may replace a file that is not a file of the workspace: user state, and a document whose place was looked at. */
const durableWriters = [
  'storage/adoption/recover.ts',
  'storage/adoption/transaction.ts',
  'storage/files/contentStore.ts',
  'storage/files/sealedFile.ts',
  'storage/files/writeInside.ts',
  'storage/runs/replies.ts',
  'storage/state/knownSkills.ts',
  'storage/state/stateKey.ts',
  'storage/state/workspaceState.ts',
];

/** Who may change a buffer or a file through VS Code. */
const editorWrites: Readonly<Record<string, readonly string[]>> = {
  // The one place that puts what was accepted into a file, after the use cases were asked.
  'editor/review/decisions/acceptHunks.ts': ['.applyEdit(', '.save('],
  // Takes it back on disk, after the same question.
  'editor/review/decisions/undoneFiles.ts': ['.save(', 'fs.writeFile('],
  // The proposal's own document, which lies with this user.
  'editor/review/decisions/rejectHunks.ts': ['.applyEdit('],
  'editor/review/documents/candidateStore.ts': ['fs.delete(', 'fs.rename(', 'fs.writeFile('],
  'editor/review/documents/fileFollower.ts': ['.applyEdit(', '.save('],
  // What the person typed, because they said so; where they chose to in a dialog.
  'editor/run/optimizeCommand.ts': ['.save('],
  'editor/cures.ts': ['.save('],
  'editor/report/reportPanel.ts': ['fs.writeFile('],
  'editor/firstMinutes/tryDemo.ts': ['fs.copy('],
};

describe('what is written', () => {
  const files = sourceFiles();

  it('goes through the doors: only they and those that need no door call the writing functions of Node', () => {
    const found = files
      .map((file) => [file, writersIn(readSource(file))] as const)
      .filter(([, names]) => names.length > 0);
    assert.ok(found.length > 10);
    assert.deepEqual(Object.fromEntries(found), sorted(rawWrites));
  });

  it('takes its functions of Node by name, so that they can be counted', () => {
    const whole = /import\s+(?:\*\s+as\s+\w+|\w+)\s*(?:,[^'"]*)?from\s+['"](?:node:)?fs(?:\/promises)?['"]/;
    assert.deepEqual(
      files.filter((file) => whole.test(readSource(file)) || /require\(['"](?:node:)?fs/.test(readSource(file))),
      [],
    );
  });

  it('changes buffers and files of the window only where the door was asked', () => {
    const calls = /\.applyEdit\(|\.save\(|\.saveAll\(|\bfs\.(?:writeFile|delete|rename|copy|createDirectory)\(/g;
    const found = files
      .filter((file) => file.startsWith('editor/') || file === 'extension.ts')
      .map((file) => [file, [...new Set(readSource(file).match(calls))].sort()] as const)
      .filter(([, names]) => names.length > 0);
    assert.deepEqual(Object.fromEntries(found), sorted(editorWrites));
    assert.match(readSource('editor/review/decisions/acceptHunks.ts'), /await host\.refuseWrite\([\s\S]*\.applyEdit\(/);
    assert.match(
      readSource('editor/review/decisions/undoneFiles.ts'),
      /await this\.#host\.refuseWrite\([\s\S]*\.save\(/,
    );
  });

  it('replaces a whole file only from the doors and from user state', () => {
    const importers = files.filter((file) => /import\s*{[^}]*\bdurableWrite\b[^}]*}/.test(readSource(file)));
    assert.deepEqual(importers, durableWriters);
  });
});

function writersIn(text: string): readonly string[] {
  const lists = [...text.matchAll(/import\s*{([^}]*)}\s*from\s*['"](?:node:)?fs(?:\/promises)?['"]/g)];
  const names = lists.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? ''));
  return names.filter((name) => writers.has(name)).sort();
}

function sorted(table: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)));
}
