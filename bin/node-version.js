"use strict";

/** Which Node versions can run Stele: plain JavaScript that any Node can read, because an old one must report this. */

/** SQLite's addon crashes before 22.14 and in 23.0 to 23.5; sources also need type stripping without a flag. */
function isNewEnough(version, { fromSource }) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= (fromSource ? 18 : 14));
}

/** Why this Node cannot run Stele. */
function tooOld({ fromSource }) {
  const needed = `${fromSource ? "22.18" : "22.14"} or newer (not 23.0 to 23.5)`;
  return `this is Node ${process.versions.node}, and Stele needs ${needed}`;
}

exports.isNewEnough = isNewEnough;
exports.tooOld = tooOld;
