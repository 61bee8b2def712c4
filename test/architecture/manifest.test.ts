import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { reviewCommandIds, windowCommandIds } from '../../src/editor/commands/commands.js';
import { settingDefaults, viewIds } from '../../src/editor/contributions.js';
import { repository } from './sourceFiles.js';

const Manifest = z.object({
  contributes: z.object({
    commands: z.array(
      z.object({
        command: z.string(),
        title: z.string(),
        category: z.string(),
        enablement: z.string().optional(),
      }),
    ),
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
    configuration: z.array(
      z.object({ properties: z.record(z.string(), z.object({ default: z.unknown(), scope: z.string().optional() })) }),
    ),
    menus: z.record(z.string(), z.array(z.object({ command: z.string().optional() }))),
    keybindings: z.array(z.object({ command: z.string() })).default([]),
  }),
  capabilities: z.object({
    untrustedWorkspaces: z.object({ supported: z.string(), restrictedConfigurations: z.array(z.string()) }),
  }),
  engines: z.object({ node: z.string(), vscode: z.string() }),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

const commandIds = [...windowCommandIds, ...reviewCommandIds];
const manifest = Manifest.parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));

describe('package.json and the registries', () => {
  it('name the same commands', () => {
    const declared = manifest.contributes.commands.map((each) => each.command);
    assert.deepEqual([...declared].sort(), [...commandIds].sort());
    assert.equal(new Set(declared).size, declared.length);
    for (const each of manifest.contributes.commands) assert.equal(each.category, 'Whetstone', each.command);
  });

  it('offer in a workspace that is not trusted only what looks, or chooses for this person alone', () => {
    const offered = manifest.contributes.commands.filter(({ enablement }) => enablement !== 'isWorkspaceTrusted');
    assert.deepEqual(offered.map(({ command }) => command.replace('whetstone.', '')).sort(), [
      'chooseModel',
      'clearFilter',
      'compareVersion',
      'editTask',
      'filterSkills',
      'nightly',
      'pauseRun',
      'refresh',
      'setApiKey',
      'showAnswers',
      'showJudge',
      'showLog',
      'showReport',
      'showSkill',
      'showTask',
      'showTrainingReport',
      'showVersion',
      'sortByAttention',
      'sortByName',
    ]);
  });

  it('name the same views', () => {
    const declared = Object.values(manifest.contributes.views).flatMap((views) => views.map((view) => view.id));
    assert.deepEqual([...declared].sort(), [...viewIds].sort());
  });

  it('name the same settings with the same defaults, at most 25 of them', () => {
    const declared = Object.fromEntries(
      manifest.contributes.configuration.flatMap((group) =>
        Object.entries(group.properties).map(([name, property]) => [name, property.default]),
      ),
    );
    assert.deepEqual(declared, { ...settingDefaults });
    assert.ok(Object.keys(declared).length <= 25);
  });

  it('let no workspace choose who gets the key, what is paid, how much, or where calls are made', () => {
    const scopes = Object.fromEntries(
      manifest.contributes.configuration.flatMap((group) =>
        Object.entries(group.properties).map(([name, property]) => [name, property.scope]),
      ),
    );
    const guarded = Object.keys(scopes).filter((name) =>
      /^whetstone\.(?:model|caps)\.|\.cap[A-Z]|autoAdopt|preset$|queue$/.test(name),
    );
    assert.ok(guarded.length >= 12, guarded.join(', '));
    assert.deepEqual(
      guarded.filter((name) => scopes[name] !== 'machine'),
      [],
    );
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual(
      guarded.filter((name) => !restrictedConfigurations.includes(name)),
      [],
    );
    assert.deepEqual(
      restrictedConfigurations.filter((name) => !(name in scopes)),
      [],
    );
  });

  it('hold what a workspace says about nights, the gate and wishes until the workspace is trusted', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const asked = Object.keys(settingDefaults).filter((name) =>
      /\.nightly\.|\.gate\.|\.preferences$|\.preset$/.test(name),
    );
    assert.ok(asked.length >= 12, asked.join(', '));
    assert.deepEqual(
      asked.filter((name) => !restrictedConfigurations.includes(name)),
      [],
    );
  });

  it('put only known commands into menus and keys', () => {
    const known = new Set<string>(commandIds);
    const used = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings]
      .map((entry) => entry.command)
      .filter((command) => command !== undefined);
    assert.deepEqual(
      used.filter((command) => !known.has(command)),
      [],
    );
  });

  it('lock every dependency to an exact version', () => {
    const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    assert.deepEqual(loose, []);
  });
});
