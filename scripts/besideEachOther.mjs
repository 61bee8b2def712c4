// How the bundles are divided. What several of them load is built once and lies beside them: the errors, so that
// `instanceof` holds across bundles, the translations, so that one language is set for all of them, the bundles that are
// loaded later than what imports them, and the libraries that several need.
import path from 'node:path';

const apart = [
  'src/errors.js',
  'src/wording/translate.js',
  'src/bundles/core.js',
  'src/bundles/commands.js',
  'src/bundles/nightly.js',
  'src/bundles/queue.js',
];

const libraries = ['croner', 'yaml', 'zod'];

/** For a bundle that loads what lies beside it. */
export const besideEachOther = {
  name: 'beside-each-other',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\..*\.js$/ }, ({ path: specifier, resolveDir }) => {
      const file = path.relative('.', path.resolve(resolveDir, specifier)).replaceAll('\\', '/');
      return apart.includes(file) ? { path: `./${path.basename(file)}`, external: true } : undefined;
    });
    onResolve({ filter: /^\w+$/ }, ({ path: library, kind }) =>
      libraries.includes(library) && kind !== 'entry-point' ? { path: library, namespace: 'library' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'library' }, async ({ path: library }) => ({
      contents: takenOnce(`./${library}.js`, Object.keys(await import(library))),
    }));
    onResolve({ filter: /./, namespace: 'library' }, ({ path: file }) => ({ path: file, external: true }));
  },
};

/**
 * What a library gives, each by its name. Else every file that imports all of it has a copy of its own made when the
 * bundle is loaded: for zod's 260 names in 143 files, about a sixth of what `--version` takes.
 */
function takenOnce(file, exported) {
  const names = exported.filter((name) => name !== 'default' && name !== 'module.exports');
  const values = names.map((name, at) => `const _${at} = library.${name};`);
  const given = names.map((name, at) => `_${at} as ${name}`);
  return `const library = require('${file}');\n${values.join('\n')}\nexport { ${given.join(', ')} };\n`;
}

/** zod's own sentences in 50 languages, of which nobody reads one: ours say what is wrong. */
const englishAlone = {
  name: 'english-alone',
  setup({ onResolve }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      importer.replaceAll('\\', '/').includes('/node_modules/zod/')
        ? { path: path.join(resolveDir, '../locales/en.js') }
        : undefined,
    );
  },
};

/** What lies beside each of them and is no bundle of ours that does something: to be built with the other settings of all. */
export const besides = [
  { entryPoints: { errors: 'src/errors.ts', translate: 'src/wording/translate.ts' } },
  { entryPoints: libraries, plugins: [englishAlone] },
];
