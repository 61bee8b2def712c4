import { ScriptedParser } from '../../../fakes/ScriptedParser.js';
import { keepsContractOfScriptParsers } from './scriptParserContract.js';

describe('the parser of scripts in memory', () => {
  const parser = new ScriptedParser();
  keepsContractOfScriptParsers(() => parser);
});
