/** A test of the full numbers: what it shows has a case in the short ones too, in another script or below the windows. */
export const inFull = process.env['WHETSTONE_FULL'] === '1' ? it : () => {};
