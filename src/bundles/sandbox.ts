/** The helper process that runs programs in the sandbox: forked at the first of them, and alone in holding the library. */
import { serveSandbox } from '../storage/programs/sandbox/serveSandbox.js';

serveSandbox();
