/** Addresses of the settings of background work. */
export const BACKGROUND = '/settings/background';
export const SOURCES = '/settings/sources';
