/** The bundle of the nights, loaded once the window is open: time zones take much code. */
export { startNights } from '../editor/nightly/nights.js';
export { hasNightSwitch } from '../storage/state/nightPlace.js';
