/** The runtime with a database driver that an Electron older than its prebuild can load; only tests bring one. */
import { runHost } from '../../../electron/host-entry.ts';
import { useNativeBinding as bringDriver } from '../../../src/db/driver.ts';

if (process.env.HEARTH_TEST_NATIVE_BINDING) bringDriver(process.env.HEARTH_TEST_NATIVE_BINDING);
runHost();
