import assert from 'node:assert/strict';
import { shimTarget } from '../../../../src/storage/programs/shimTarget.js';

describe('what a .cmd of npm starts', () => {
  const folder = 'C:\\npm';
  const script = `@ECHO off\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n)\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@openai\\codex\\bin\\codex.js" %*\r\n`;
  const native = `@ECHO off\r\n"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*\r\n`;

  it('is a script, which Node starts', () => {
    assert.equal(shimTarget(script, folder), 'C:\\npm\\node_modules\\@openai\\codex\\bin\\codex.js');
  });
  it('is a program', () => {
    assert.equal(shimTarget(native, folder), 'C:\\npm\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe');
  });
  it('is unknown for any other batch file', () => {
    assert.equal(shimTarget('@echo off\r\ncall something.bat %*', folder), undefined);
  });
});
