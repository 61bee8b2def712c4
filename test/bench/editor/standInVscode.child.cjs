// Stands for the API of VS Code where only the time counts that an extension takes: every name of it is there, can be
// called, made and read on, and does nothing.
const { names } = require('./names.json');

function nothing() {
  const made = new Proxy(function () {}, {
    get: (itself, name) => {
      if (name === Symbol.iterator) return [][Symbol.iterator];
      if (name === Symbol.toPrimitive) return () => '';
      if (name === 'prototype') return Reflect.get(itself, name);
      return name === 'then' ? undefined : made;
    },
    set: () => true,
    apply: () => made,
    construct: () => ({}),
  });
  return made;
}

class EventEmitter {
  event = () => ({ dispose: () => undefined });
  fire() {}
  dispose() {}
}

module.exports = { ...Object.fromEntries(names.map((name) => [name, nothing()])), EventEmitter, nothing };
