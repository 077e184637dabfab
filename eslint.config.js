import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** The rules of a set, none of them a mere warning. */
const asErrors = (rules) => Object.fromEntries(Object.keys(rules).map((name) => [name, 'error']))

const clicksAndKeys = ['onClick', 'onMouseDown', 'onMouseUp', 'onKeyPress', 'onKeyDown', 'onKeyUp']

/** Type rules over everything, short files, and the bans that keep SQL and HTML safe. Layers: scripts/house/layers.ts. */
export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'build',
      '.data',
      '.cache',
      '.wrangler',
      'scripts/setup.mjs',
      'eslint.config.js',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 500 }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': ['error', { allow: ['log', 'error'] }],
      'no-eval': 'error',
      'no-new-func': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['functions/**/*.ts', 'app/**/*.{ts,tsx}'],
    rules: {
      // SQL is made of bound values and looked-up names only.
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='sql'][property.name=/^(raw|lit)$/]",
          message: 'Bind values; look names up.',
        },
      ],
    },
  },
  {
    files: ['app/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks, 'jsx-a11y': jsxA11y },
    rules: {
      ...asErrors(reactHooks.configs.flat.recommended.rules),
      // A listener or a timer reads the newest values from a ref that each render writes: React 18 has no effect event.
      'react-hooks/refs': 'off',
      // What only a browser knows (drafts, the theme, the sidebar) is read after the first render, which has to be the server's.
      'react-hooks/set-state-in-effect': 'off',
      // Takes a component that was fetched, and is kept in a state, for one that is made anew by each render.
      'react-hooks/static-components': 'off',

      ...jsxA11y.flatConfigs.strict.rules,
      // The focus goes where a person has just asked for it: into a dialog, into a part that was added, into the one field of
      // a page that is nothing else. The rule refuses all of these.
      'jsx-a11y/no-autofocus': 'off',
      // A box that scrolls has to be reached by the keyboard: wide tables are regions with a name, code is a `pre`.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: ['pre'], roles: ['region', 'group'] }],
      // Safari takes a list without markers for none, unless its role says it is one.
      'jsx-a11y/no-redundant-roles': ['error', { ul: ['list'], ol: ['list'] }],
      // Dropping a file is one more way beside the input that stands in the same zone: only clicks and keys are looked at.
      'jsx-a11y/no-static-element-interactions': ['error', { handlers: clicksAndKeys }],
      'jsx-a11y/no-noninteractive-element-interactions': ['error', { handlers: clicksAndKeys }],
      // The words of a choice stand deeper than the rule looks by itself.
      'jsx-a11y/label-has-associated-control': ['error', { depth: 5 }],
    },
  },
  {
    // What runs in a Worker, in a browser or in the database, as `isProduct` of scripts/house/modules.ts has it.
    files: ['functions/**/*.ts', 'app/**/*.{ts,tsx}', 'db/**/*.ts'],
    ignores: [
      '**/*.{test,walk,testing}.{ts,tsx}',
      '**/testing.ts',
      '**/testing/**',
      '**/{differential,hostile}/**',
      'db/worlds/**',
      'functions/v1/fuzz/**',
    ],
    rules: { 'max-lines-per-function': ['error', { max: 80 }] },
  },
  {
    files: ['scripts/**/*.ts', '**/*.test.{ts,tsx}'],
    rules: { 'no-console': 'off' },
  },
)
