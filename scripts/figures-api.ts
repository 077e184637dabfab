import { readFileSync } from 'node:fs'
import { fuzzInChunks } from './fuzz/chunks.ts'
import { importFiles } from './bench/import-files.ts'
import { importLimit } from './bench/import-limit.ts'
import { embeddedCostTable } from './cost/embedded.ts'
import { costTable } from './cost/table.ts'
import { faults } from './figures-faults.ts'
import { printEach, proof, walk, type Suite } from './figures-proof.ts'
import { reportPlaces } from './places/figures.ts'
import { enginesWithWebGL } from './walks/engines/index.ts'
import { allRoutes } from '#functions/v1/fuzz/requests.testing.ts'

/** The promises about `/v1`, suite by suite. */
export const apiSuites: Record<string, Suite> = {
  /** Every endpoint, called as every role. */
  matrix: proof('matrix', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.least('cells of the access matrix, reading', counts['read cells'] ?? 0, 1725, 'cells')
    reporter.least('cells of the access matrix, writing', counts['write cells'] ?? 0, 1380, 'cells')
  }),
  /** Row-level security by itself. */
  wall: proof('wall', printEach, 'functions/v1/matrix.wall.test.ts'),
  /** Private data in answers. */
  canaries: proof('canaries', (counts, figureReporter) => {
    printEach(counts, figureReporter)
    figureReporter.least('answers looked through for private texts', counts.answers ?? 0, 10_000, 'answers')
  }),
  /** Whether numbers and texts of private records can be guessed from how answers differ. */
  oracle: proof('oracle', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.least('pairs of questions that were answered', counts.answered ?? 0, 1000, 'pairs')
  }),
  /** Every origin, at every endpoint. */
  origins: proof('origins', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.least('answers to origins', counts.answers ?? 0, 15_000, 'answers')
  }),
  /** The fields of each answer by role. */
  fields: proof('fields', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.least('answers held to the fields of who asked', counts.answers ?? 0, 10_000, 'answers')
  }),
  /** The published client. */
  sdk: proof('sdk', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.least(
      'methods of the published client that were asked',
      counts['of them asked'] ?? 0,
      133,
      'methods',
    )
  }),
  /** The number of database statements. */
  statements: proof('statements', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.log(readFileSync('functions/v1/statements.txt', 'utf8'))
    reporter.most(
      'most statements of one question',
      counts['most statements of one question'] ?? Infinity,
      12,
      'statements',
    )
  }),
  /** Questions designed to be expensive. */
  bombs: proof('bombs', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.most('processor time of the worst bomb', counts['worst of them, ms'] ?? Infinity, 100, 'ms')
  }),
  /** The query language against a slow reference evaluator: `-- differential --seed 7 --cases 20000`. */
  differential: proof(
    'differential',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least(
        'generated questions',
        counts.cases ?? 0,
        counts['cases asked for'] ?? Infinity,
        'questions',
      )
      reporter.least('functions in them', counts.functions ?? 0, 31, 'functions')
      reporter.most('answers that differ', counts.differences ?? Infinity, 0, 'answers')
    },
    'functions/engine/query/differential/differential.test.ts',
    ({ seed = '1', cases = '20000' }) => ({ DIFFERENTIAL_SEED: seed, DIFFERENTIAL_CASES: cases }),
  ),
  /** Every time zone across its changes of clocks. */
  zones: proof(
    'zones',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('time zones', counts.zones ?? 0, 400, 'zones')
      reporter.most('moments that are not in one bucket', counts.findings ?? Infinity, 0, 'moments')
    },
    'functions/engine/query/zones/conserve.test.ts',
  ),
  /** SQL injection at every place of a question. */
  hostile: proof(
    'hostile',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('questions with such texts', counts.questions ?? 0, 7000, 'questions')
    },
    'functions/engine/query/hostile/injection.test.ts',
  ),
  /** Tables of data types whose schema changes again and again, against an oracle of their values. */
  changes: proof(
    'schemaChanges',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('sequences of changes', counts.sequences ?? 0, 60, 'sequences')
    },
    'functions/domain/data-type/schema-change/sequences.test.ts',
  ),
  /** Conversions of values of every type into every other. */
  conversions: proof(
    'conversions',
    printEach,
    'functions/domain/data-type/schema-change/conversions.test.ts',
  ),
  /** A large file imported twice, on the embedded database. */
  import: proof('import-pglite', printEach, 'functions/domain/importer/job/speed.test.ts', () => ({
    TEST_POSTGRES_URL: '',
  })),
  /** The memory of the Worker while it imports a gigabyte of CSV: `--megabytes 1000`. */
  'import-memory': importLimit,
  /** Large files of each kind, uploaded and fetched, one by one and several at once in two isolates: `--megabytes 100 --kinds csv,json`. */
  'import-files': importFiles,
  /** Expensive questions, as an anonymous visitor, with a key and as staff: `--rows 1000000`. */
  cost: costTable,
  /** The same on the embedded database, as an anonymous visitor. */
  'cost-embedded': embeddedCostTable,
  faults,
  /** Malformed and unusual files imported whole, against the expected results. */
  corpus: proof(
    'corpus',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('nasty files', counts.files ?? 0, 60, 'files')
      reporter.most('faults that were not located', (counts.seeded ?? 1) - (counts.located ?? 0), 0, 'faults')
      reporter.least('good rows that came in', (100 * (counts.came ?? 0)) / (counts.good ?? 1), 99, '%')
      reporter.most('values changed in silence', counts.changed ?? Infinity, 0, 'records')
    },
    'functions/domain/importer/corpus/corpus.test.ts',
  ),
  /** Exported files of every format, read back by other programs. */
  'round-trip': proof(
    'round-trip',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('values that were read back', counts.values ?? 0, 600_000, 'values')
      reporter.most(
        'dates and numbers that are not those of the file',
        counts.faults ?? Infinity,
        0,
        'values',
      )
    },
    'functions/domain/dataset/round-trip.test.ts',
  ),
  /** Addresses that must not be fetched (server-side request forgery). */
  urls: proof(
    'urls',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('hostile addresses', counts.addresses ?? 0, 120, 'addresses')
      reporter.most('connections to what is inside', counts.connections ?? Infinity, 0, 'connections')
    },
    'functions/domain/importer/hostile.test.ts',
  ),
  /** Fifty concurrent writers of one row. */
  writers: proof('writers', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.least('changes that were made at once, none lost', counts.changes ?? 0, 350, 'changes')
  }),
  /** SQL injection wherever a request carries a text, and the resulting statements. */
  injection: proof('injection', (counts, reporter) => {
    printEach(counts, reporter)
    reporter.least('requests with a text that tries to be SQL', counts.requests ?? 0, 40_000, 'requests')
  }),
  /** Hostile texts in everything that people write, on every page in a real browser. */
  'hostile-pages': walk(
    'hostile-pages',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('hostile texts', counts.texts ?? 0, 150, 'texts')
      reporter.least('pages that showed some of them', counts['pages with hostile texts'] ?? 0, 80, 'pages')
    },
    'scripts/walks/hostile-pages.walk.ts',
  ),
  /**
   * One organization exceeds its rate limits by ten times or asks expensive questions; another is measured
   * meanwhile.
   */
  neighbours: walk(
    'neighbours',
    (counts, reporter) => {
      printEach(counts, reporter)
      const figure = (name: string) => counts[name] ?? Infinity
      reporter.least(
        'requests beyond the budget that were 429 with Retry-After',
        counts['of them refused with 429 and Retry-After'] ?? 0,
        4000,
        'requests',
      )
      reporter.most(
        'requests of the other organization that failed',
        figure('of them not answered'),
        0,
        'requests',
      )
      reporter.most(
        "p99 of the other's answers beside questions made to cost, against plain ones as often",
        figure('ratio of both, per cent') / 100,
        1.5,
        'times',
      )
    },
    'scripts/walks/neighbours.walk.ts',
  ),
  /** Shared caches hold nothing private, and withdrawn data disappears from all of them. */
  private: walk(
    'private',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least(
        'addresses asked by an admin and a stranger in turns',
        counts.addresses ?? 0,
        800,
        'addresses',
      )
      for (const kind of ['a story', 'a source'])
        for (const [until, name] of [
          ['the addresses were gone', `seconds until the addresses of ${kind} were gone`],
          ['no list or file named it', `seconds until ${kind} was in no list, search, sitemap, feed or file`],
        ] as const)
          reporter.most(`${kind} withdrawn: until ${until}`, counts[name] ?? Infinity, 5, 's')
    },
    'scripts/walks/private.walk.ts',
  ),
  /** Every public page of the demo's hubs, in every language, theme and width. */
  public: walk(
    'public',
    (counts, reporter) => {
      printEach(counts, reporter)
      const wrong = 'violations of WCAG 2.2 AA or sideways scrolls'
      reporter.most(`${wrong} on public pages`, counts[wrong] ?? Infinity, 0, 'findings')
    },
    'scripts/walks/public.walk.ts',
  ),
  /** Every kind of page of a hub, in both themes, three widths and two directions. */
  frame: walk(
    'frame',
    (counts, reporter) => {
      reporter.least('kinds of pages looked at', counts['kinds of pages looked at'] ?? 0, 192, 'pages')
      reporter.most(
        'rules of WCAG 2.2 AA broken by kinds of pages',
        counts['rules broken'] ?? Infinity,
        0,
        'rules',
      )
      reporter.most('kinds of pages that scroll sideways', counts.wide ?? Infinity, 0, 'pages')
    },
    'scripts/walks/frame.walk.ts',
  ),
  /** Every record is in exactly one tile of every zoom, under every kind of filter. */
  tiles: proof(
    'tiles',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('tiles compared with the records', counts.tiles ?? 0, 4000, 'tiles')
    },
    'functions/domain/dataset/tile.test.ts',
  ),
  /** The archives of the base map and of boundaries, built twice. */
  ground: proof(
    'ground',
    (counts, reporter) =>
      reporter.least(
        'archives of the ground alike',
        counts['archives built twice alike'] ?? 0,
        1,
        'archives',
      ),
    'scripts/ground/ground.test.ts',
  ),
  'boundary-tiles': proof(
    'boundary-tiles',
    (counts, reporter) =>
      reporter.least('files of boundaries alike', counts['files made twice alike'] ?? 0, 5, 'files'),
    'scripts/tiles.test.ts',
  ),
  /** Regions, sets and their archives against PostGIS and the reference reader of archives. */
  async regions(reporter, options) {
    await proof(
      'regions',
      (counts, { most, least }) => {
        least('points whose area was looked up, and by PostGIS', counts.points ?? 0, 10_000, 'points')
        most('of them in other areas than PostGIS says', counts.apart ?? Infinity, 0, 'points')
        least('neighbouring areas simplified', counts.simplified ?? 0, 75, 'areas')
        most('gaps and overlaps between them', counts.slivers ?? Infinity, 0, 'gaps')
      },
      'functions/engine/region/region.test.ts',
    )(reporter, options)
    await proof(
      'region-counts',
      ({ records, areas }, { least }) =>
        least(
          `areas of which lists and PostGIS count as many of ${records} records`,
          areas ?? 0,
          16,
          'areas',
        ),
      'functions/domain/dataset/region.test.ts',
    )(reporter, options)
    await proof(
      'set-areas',
      ({ areas, thousandths }, { most }) =>
        most(
          `areas on the globe of ${areas}, beside PostGIS geography`,
          thousandths ?? Infinity,
          5,
          'thousandths',
        ),
      'functions/domain/boundary/set-files.test.ts',
    )(reporter, options)
    await proof(
      'set-archives',
      ({ areas, tiles, zooms }, { least }) =>
        least(
          `zooms of an archive with all ${areas} areas, by the reference reader, ${tiles} tiles`,
          zooms ?? 0,
          8,
          'zooms',
        ),
      'functions/engine/tile/set-archive.test.ts',
    )(reporter, options)
  },
  /** From a click on "Save" to the hub, in a real browser. */
  publish: walk(
    'publish',
    ({ seconds = Infinity }, reporter) => reporter.most('a new title is on the hub after', seconds, 5, 's'),
    'scripts/walks/staff.walk.ts',
  ),
  /** Every screen of the workspace for every role, in both themes, wide and narrow, with screenshots. */
  routes: walk(
    'routes',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.log('  pictures of them in .cache/shots')
      reporter.most(
        'violations, complaints and sideways scrolls',
        counts['findings on screens'] ?? Infinity,
        0,
        'findings',
      )
    },
    'scripts/walks/routes.walk.ts',
  ),
  /** The files and queries of each screen of the workspace. */
  screens: walk(
    'screens',
    (counts, reporter) => {
      printEach(counts, reporter)
      const script = counts['largest script of a screen, bytes'] ?? Infinity
      reporter.most('script of a screen before anything is touched, gzip', script / 1000, 200, 'kB')
      reporter.least(
        'screens whose script was weighed',
        counts['screens whose script was weighed'] ?? 0,
        71,
        'screens',
      )
      const grew = counts['screens whose statements grew'] ?? Infinity
      reporter.most('screens that take more statements where there are more rows', grew, 0, 'screens')
    },
    'scripts/walks/screens.walk.ts',
  ),
  /** Every page of both hubs, and what is done on them, in Firefox and WebKit. */
  browsers: walk(
    'browsers',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('pages looked at in two more engines', counts['pages looked at'] ?? 0, 80, 'pages')
      const faultyPages = counts['pages that scroll sideways or complain'] ?? Infinity
      reporter.most('pages that scroll sideways or complain there', faultyPages, 0, 'pages')
      reporter.least(
        'maps that live or say why not',
        counts['maps that came alive or said why not'] ?? 0,
        2,
        'maps',
      )
    },
    'scripts/walks/browsers.walk.ts',
  ),
  /**
   * The tasks of four kinds of people, in three engines, with and without scripts; prints the table of
   * clicks.
   */
  tasks: walk(
    'tasks',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least(
        'tasks done in three engines, with scripts and without',
        counts['tasks done'] ?? 0,
        120,
        'tasks',
      )
      reporter.most(
        'tasks that could not be done',
        counts['tasks that could not be done'] ?? Infinity,
        0,
        'tasks',
      )
      reporter.most(
        'tasks that take more clicks than the shortest way known elsewhere',
        counts['tasks that take more clicks than a peer'] ?? Infinity,
        1,
        'tasks',
      )
    },
    'scripts/walks/tasks.walk.ts',
  ),
  /**
   * The maps of five hubs with data of other publishers, in three browsers: `-- places --only look-fiji`.
   */
  async places(reporter, options) {
    const { only = '' } = options
    const missing = enginesWithWebGL.flatMap((engine) => engine.missing ?? [])
    await walk(
      'places',
      (counts, reporter) => reportPlaces(reporter, { counts, only, missing }),
      'scripts/walks/places.walk.ts',
      () => ({ PLACES_ONLY: only }),
    )(reporter, options)
  },
  /** The shared components, as a development server shows them. */
  gallery: walk(
    'gallery',
    ({ photographed = 0 }, reporter) =>
      reporter.least('themes and widths the shared components stand', photographed, 4, 'pages'),
    'scripts/walks/gallery.walk.ts',
  ),
  /** Archives as large as the screen takes them, imported in an isolate with the heap that the platform gives. */
  'large-archive': walk(
    'large-archive',
    (counts, reporter) => {
      printEach(counts, reporter)
      for (const id of ['scripted', 'unscripted'])
        reporter.most(
          `memory of the isolate, ${id}`,
          counts[`MB of the isolate, ${id}`] ?? Infinity,
          128,
          'MB',
        )
    },
    'scripts/walks/large-archive.walk.ts',
  ),
  /** Randomly generated requests: `-- fuzz --seed 7 --cases 500`. */
  async fuzz(reporter, { seed = '1', cases = '20000' }) {
    reporter.log(`  seed ${seed}`)
    const {
      findings,
      statuses,
      endpoints,
      cases: caseCount,
    } = await fuzzInChunks(Number(seed), Number(cases), reporter.log)
    printEach(statuses, reporter)
    for (const { rule, endpoint, detail, count, example } of findings)
      reporter.log(`  ${rule}: ${endpoint}, ${count} times. ${detail}\n    ${JSON.stringify(example)}`)
    reporter.least('generated requests', caseCount, Number(cases), 'requests')
    if (caseCount >= 10_000)
      reporter.least('endpoints they went to', endpoints.size, allRoutes.length, 'endpoints')
    else reporter.log(`  ${endpoints.size} of ${allRoutes.length} endpoints`)
    reporter.most('rules that answers broke', findings.length, 0, 'findings')
  },
}
