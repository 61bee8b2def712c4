import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { commandIds, settingDefaults, viewIds } from '../../src/editor/contributions.js';
import { repository } from './sourceFiles.js';

const Manifest = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.string() })),
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
    configuration: z.array(z.object({ properties: z.record(z.string(), z.object({ default: z.unknown() })) })),
    menus: z.record(z.string(), z.array(z.object({ command: z.string().optional() }))),
    keybindings: z.array(z.object({ command: z.string() })).default([]),
  }),
  engines: z.object({ node: z.string(), vscode: z.string() }),
  devDependencies: z.record(z.string(), z.string()),
});

const manifest = Manifest.parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));

describe('package.json and the registries', () => {
  it('name the same commands', () => {
    const declared = manifest.contributes.commands.map((each) => each.command);
    assert.deepEqual([...declared].sort(), [...commandIds].sort());
    assert.equal(new Set(declared).size, declared.length);
    for (const each of manifest.contributes.commands) assert.equal(each.category, 'Whetstone', each.command);
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
    const loose = Object.entries(manifest.devDependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
    assert.deepEqual(loose, []);
  });
});
