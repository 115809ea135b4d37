import fc from 'fast-check';
import { SEED } from './thorough.ts';

// Set up before each file of property tests; a failure prints its seed and path.
fc.configureGlobal({ seed: SEED });
