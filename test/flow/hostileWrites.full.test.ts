import { hostileWorkspaces, wantsInVain } from './hostileWorkspaces.js';

describe('every workspace that wants to write somewhere', () => {
  for (const hostile of hostileWorkspaces) it(hostile.name, () => wantsInVain(hostile));
});
