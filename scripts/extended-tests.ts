/**
 * What `npm test` leaves to `npm run test:full -- extended`, so that it takes half of the time. `npm test` proves
 * each rule once, at the lowest layer where it can be proved. Left to the extended tests is what repeats a rule: for
 * every page, theme and browser, for every endpoint with generated requests, for a fault at every moment, or by building
 * everything twice.
 */
const extendedGroups: readonly { why: string; files: readonly string[] }[] = [
  {
    why: 'every screen and page again, in each theme, width and browser, or by keyboard alone',
    files: walks('look', 'screens', 'browsers', 'frame', 'keyboard', 'hidden-parts'),
  },
  {
    why: 'screens and pages beside the main journeys, whose rules have tests below the browser',
    files: walks(
      ...[
        'boundary-sets',
        'map-settings',
        'map-state',
        'map-picture',
        'hosts',
        'collection',
        'many',
        'two-windows',
      ],
      ...[
        'organization',
        'organization-life',
        'factor',
        'passkeys',
        'types',
        'translations',
        'versions',
        'report',
      ],
      ...['archive', 'large-archive', 'large-table', 'messy-files', 'neighbours'],
    ),
  },
  {
    why: 'hostile texts and private words, requested on every page and at every address',
    files: [
      ...walks('hostile-pages', 'private'),
      ...tests(
        'functions/v1',
        ...['strangers', 'closed', 'oracle', 'origins', 'matrix.wall', 'geometry-bombs', 'writers'],
      ),
      'functions/engine/import/parse/nasty/bombs.test.ts',
      'functions/engine/region/too-many.test.ts',
    ],
  },
  {
    why: 'processes that are killed, storage and databases that fail for a while, deployments that are cut off',
    files: [
      ...walks('crawl', 'deployment', 'editor-faults', 'evicted'),
      'scripts/killed-start.test.ts',
      ...tests('scripts/faults', 'restart', 'restore'),
      ...tests('functions/domain/importer/faults', 'killed', 'seeds', 'skewed'),
      ...tests('functions/jobs/publish', 'storage-faults', 'trouble', 'builds/deployment'),
      'functions/domain/importer/job/faults.test.ts',
      'functions/api/drain.test.ts',
      'functions/edge/hub/storage-read-faults.test.ts',
    ],
  },
  {
    why: 'files that are built twice, or compared with what other programs make of them',
    files: [
      ...tests('scripts', 'tiles', 'tiles/iso', 'ground/ground'),
      // The demo that the walks start is seeded by the same code.
      'scripts/seed/work.test.ts',
      'functions/domain/dataset/round-trip.test.ts',
      ...tests('functions/domain/boundary', 'set-uploads', 'set-files'),
      ...tests(
        'functions/engine',
        'chart/drawn-once',
        'picture/whole-maps',
        'picture/countries',
        'tile/set-archive',
      ),
    ],
  },
  {
    why: 'figures of every endpoint, and what other programs say of their description',
    files: [
      ...tests('functions/v1', 'statements', 'description'),
      ...tests('scripts', 'supply/supply', 'test-costs'),
    ],
  },
]

/**
 * Tests of which `npm test` runs a cross-section (`isCrossSection` in `functions/v1/testing/figures.testing.ts`) and
 * the extended tests the whole.
 */
export const sampledFiles: readonly string[] = [
  ...walks(
    ...['routes', 'keeping', 'import', 'place-map', 'public', 'figures', 'records', 'search', 'trust'],
    'languages',
  ),
  ...tests(
    'functions/v1',
    'matrix',
    'canaries',
    'fields',
    'injection',
    'read-only',
    'fuzz',
    'archive',
    'table-within',
  ),
  'app/theme/colour.test.ts',
  ...tests(
    'functions/domain',
    ...['data-type/delete', 'observer/observe', 'records/stats', 'records/profile/profile'],
  ),
  'functions/edge/media/serve.test.ts',
  'functions/engine/query/differential/differential.test.ts',
  'functions/jobs/publish/killed-publish.test.ts',
  'scripts/truth/truth.test.ts',
]

/** The files that only the extended tests run. */
export const extendedFiles: readonly string[] = extendedGroups.flatMap(({ files }) => files)

/** Whether only the extended tests run a file. */
export const isExtendedOnly = (path: string): boolean => extendedFiles.includes(path)

/** Whether the extended tests run a file. */
export const isExtended = (path: string): boolean =>
  extendedFiles.includes(path) || sampledFiles.includes(path)

function walks(...names: string[]): string[] {
  return names.map((name) => `scripts/walks/${name}.walk.ts`)
}

function tests(folder: string, ...names: string[]): string[] {
  return names.map((name) => `${folder}/${name}.test.ts`)
}
