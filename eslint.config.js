import tseslint from 'typescript-eslint'

/** Type rules over everything, short files, and the bans that keep SQL and HTML safe. Rooms: scripts/check-rooms.ts. */
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
    files: ['scripts/**/*.ts', '**/*.test.{ts,tsx}'],
    rules: { 'no-console': 'off' },
  },
)
