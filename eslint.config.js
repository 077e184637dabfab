import jsxA11y from 'eslint-plugin-jsx-a11y'
import tseslint from 'typescript-eslint'

/** SQL is made of bound values and looked-up names only. */
const unsafeSql = {
  selector: "MemberExpression[object.name='sql'][property.name=/^(raw|lit)$/]",
  message: 'Bind values; look names up.',
}

/** Names that say that something was done and not what it is: a variable is called by what it holds, a function by what it does. */
const participles =
  'asked|found|gathered|given|gone|raised|remembered|said|sealed|shelves|standing|tell|told|flights|letter|linesOf'
const named = (selectors, names, instead) =>
  selectors.map((selector) => ({
    selector: `${selector}[name=/^(?:${names})$/]`,
    message: `A word of nobody else's: ${instead}`,
  }))
const namedValues = [
  'VariableDeclarator > Identifier.id',
  'FunctionDeclaration > Identifier.id',
  ':function > Identifier.params',
  'TSFunctionType > Identifier.params',
  'AssignmentPattern > Identifier.left',
  'ObjectPattern > Property > Identifier.value',
  'ArrayPattern > Identifier',
]
const privateWords = [
  ...named(
    namedValues,
    participles,
    'say what it is (request, rows, value, text, deleted, email) or does (sendNotices, describeReject).',
  ),
  ...named(
    ['TSInterfaceDeclaration > Identifier.id', 'TSTypeAliasDeclaration > Identifier.id'],
    '\\w*(?:Asked|Told|Said|Ports)|(?:Asked|Found|Told|Said)(?:[A-Z]\\w*)?|Letter',
    'say what it is (ListRequest, SearchHit, TileServices).',
  ),
]

/** More of them, which the nouns, the shapes, the endpoints and the edge do without. */
const moreParticiples = named(
  namedValues,
  'cleaned|chosen|counted|drawn|emptied|filled|held|known|listed|looked|made|meant|mine|named|noted|ordered|placed|profiled|proved|put|queried|refused|requested|searched|seen|sent|served|shown|spoken|stored|taken|tried|wanted|watched|written',
  'say what it is (rejectedIds, locales, methods, position, cookie, storedAnswer, shownFields).',
)

/** More of them, which the screens do without. Their properties still have some (`refused`, `shown`), which screens name too. */
const screenParticiples = named(
  namedValues,
  'called|cleaned|coloured|counted|dated|described|failed|got|held|known|looked|mapped|needed|noted|numbered|placed|pressed|put|searched|seen|served|spoken|taken|thrown|typed|written',
  'say what it is (knownZone, filledCount, valueText, fieldSchema) or does (replaceNode, formatNumber).',
)

/** And those that the rooms below the nouns do without. */
const lowerParticiples = named(
  namedValues,
  'chosen|got|held|known|mine|named|placed|put|seen|sent|spoken|taken|wanted|written',
  'say what it is (choice, entry, knownKeys, ownRows, label, position, visibleRows, request, locales, usedNames, bounds).',
)

/** Scripts have flights of planes and letters of the alphabet. */
const scriptParticiples = named(
  namedValues,
  'asked|chosen|found|gathered|given|gone|kept|mine|raised|remembered|said|spoken|taken',
  'say what it is (question, choice, problems, batch, options, entry) or does (describeAnswer).',
)

/** Tests, and what was written down once and for all. */
const unnamed = [
  '**/*.{test,testing}.ts',
  '**/testing.ts',
  '**/testing/**',
  'functions/**/examples/**',
  'db/migrations/**',
]

/** What an answer depends on is said in one way. */
const byHand = [
  "CallExpression[callee.property.name='add'][callee.object.property.name='depends']",
  "CallExpression[callee.property.name='basis'][callee.object.name='ctx']",
].map((selector) => ({ selector, message: 'Say it by dependsOn of functions/platform/cache.' }))

const clicksAndKeys = ['onClick', 'onMouseDown', 'onMouseUp', 'onKeyPress', 'onKeyDown', 'onKeyUp']

/**
 * Short files, the bans that keep SQL and HTML safe, words and accessibility. Rules that need types or React's compiler: .oxlintrc.json.
 * Layers: scripts/house/layers.ts.
 */
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
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 500 }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': ['error', { allow: ['log', 'error'] }],
      'no-eval': 'error',
      'no-new-func': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['functions/**/*.ts', 'app/**/*.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', unsafeSql] },
  },
  {
    files: ['app/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', unsafeSql, ...privateWords, ...byHand] },
  },
  {
    files: ['app/{client,server,components,islands}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', unsafeSql, ...privateWords, ...screenParticiples, ...byHand] },
  },
  {
    files: ['db/**/*.ts'],
    ignores: unnamed,
    rules: { 'no-restricted-syntax': ['error', ...privateWords] },
  },
  {
    files: ['functions/**/*.ts'],
    ignores: unnamed,
    rules: { 'no-restricted-syntax': ['error', unsafeSql, ...privateWords, ...byHand] },
  },
  {
    files: ['functions/{domain,shapes,v1,edge}/**/*.ts'],
    ignores: unnamed,
    rules: { 'no-restricted-syntax': ['error', unsafeSql, ...privateWords, ...moreParticiples, ...byHand] },
  },
  {
    files: ['functions/{engine,platform,api,jobs,live}/**/*.ts'],
    ignores: unnamed,
    rules: { 'no-restricted-syntax': ['error', unsafeSql, ...privateWords, ...lowerParticiples, ...byHand] },
  },
  {
    // The oracle of sentences and the walks have words of their own.
    files: ['scripts/**/*.ts'],
    ignores: [...unnamed, 'scripts/truth/**', 'scripts/walks/**'],
    rules: { 'no-restricted-syntax': ['error', ...scriptParticiples] },
  },
  {
    // Where it is done, once.
    files: ['functions/platform/cache/depends.ts', 'functions/api/validator.ts'],
    rules: { 'no-restricted-syntax': ['error', unsafeSql, ...privateWords] },
  },
  {
    files: ['app/**/*.{ts,tsx}'],
    plugins: { 'jsx-a11y': jsxA11y },
    rules: {
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
