/**
 * One more item of a kind, with only the code that its author writes first: the compiler then reports what
 * else is needed.
 */
export interface Addition {
  what: string
  /** The README that describes the further steps. */
  readme: string
  /** Insertions into files, each after a text that occurs exactly once. */
  edits: { path: string; after: string; insertion: string }[]
  files: { path: string; text: string }[]
}

/** The lists of the product, with one more item for each. */
export const additions: readonly Addition[] = [
  {
    what: 'a field of a source',
    readme: 'functions/domain/README.md',
    edits: [
      {
        path: 'functions/shapes/source.ts',
        after: 'licence: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),\n',
        insertion: '  steward: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),\n',
      },
      {
        path: 'functions/shapes/source.ts',
        after: 'licence: v.nullable(v.string()),\n',
        insertion: '  steward: v.nullable(v.string()),\n',
      },
    ],
    files: [],
  },
  {
    what: 'an endpoint of sources',
    readme: 'functions/v1/README.md',
    edits: [
      {
        path: 'functions/v1/source.ts',
        after: '  key: sourceKey,\n',
        insertion:
          "  close: endpoint({ allow: 'source.update', http: { method: 'post', one: true }, run: sources.findById }),\n",
      },
      {
        path: 'functions/v1/source.ts',
        after: "import { dataset } from './dataset.ts'\n",
        insertion: "import { endpoint } from '#functions/api/endpoint.ts'\n",
      },
    ],
    files: [],
  },
  {
    what: 'an export format',
    readme: 'functions/engine/export/README.md',
    edits: [{ path: 'functions/shapes/export-format.ts', after: "  'zip',\n", insertion: "  'avro',\n" }],
    files: [],
  },
  {
    what: 'a chart type',
    readme: 'functions/engine/chart/README.md',
    edits: [
      { path: 'functions/shapes/analytics.ts', after: "  'histogram',\n", insertion: "  'waterfall',\n" },
    ],
    files: [
      {
        path: 'functions/engine/chart/type/waterfall.ts',
        text: `import { bar } from './bar.ts'\nimport type { ChartType } from './type.ts'\n
export const waterfall: ChartType = { ...bar, name: 'Waterfall', isStackable: false }\n`,
      },
    ],
  },
  {
    what: 'a format of imports',
    readme: 'functions/engine/import/parse/README.md',
    edits: [
      {
        path: 'functions/shapes/parser/index.ts',
        after: '  gtfsrt,\n',
        insertion: '  toml,\n',
      },
      {
        path: 'functions/shapes/parser/index.ts',
        after: "import { shp } from './shp.ts'\n",
        insertion: "import { toml } from './toml.ts'\n",
      },
    ],
    files: [
      {
        path: 'functions/shapes/parser/toml.ts',
        text: `import type { Parser } from './parser.ts'\n
export const toml = {
  label: 'TOML',
  notes: 'Rows are found by a selector.',
  options: ['autoFormat', 'selector'],
  endings: ['toml'],
  content: 'text',
  zipped: null,
  mostBytes: null,
  tooLarge: 'Give its address.',
} as const satisfies Parser\n`,
      },
    ],
  },
  {
    what: 'a block of pages',
    readme: 'functions/shapes/block/README.md',
    edits: [
      {
        path: 'functions/shapes/block/block.ts',
        after: 'export const blockTexts = {\n',
        insertion:
          "  words: { label: 'Words', kind: 'lines', most: 1000 },\n  speaker: { label: 'Speaker', kind: 'line', most: 200 },\n",
      },
      {
        path: 'functions/shapes/block/index.ts',
        after: 'export const blockKinds = { text,',
        insertion: ' quote,',
      },
      {
        path: 'functions/shapes/block/index.ts',
        after: "import { map } from './map.ts'\n",
        insertion: "import { quote } from './quote.ts'\n",
      },
    ],
    files: [
      {
        path: 'functions/shapes/block/quote.ts',
        text: `import type { Block } from './block.ts'\n
export const quote: Block = {
  name: 'Quote',
  written: ['words', 'speaker'],
  readableTexts: ['words', 'speaker'],
  holdsHtml: false,
  drawsInsight: false,
  lacks: () => [],
}\n`,
      },
    ],
  },
  {
    what: 'a language',
    readme: 'functions/shapes/language/README.md',
    edits: [
      {
        path: 'functions/shapes/locale.ts',
        after: 'const list = [english,',
        insertion: ' portuguese,',
      },
      {
        path: 'functions/shapes/locale.ts',
        after: "import { facts as french } from './language/fr/facts.ts'\n",
        insertion: "import { facts as portuguese } from './language/pt/facts.ts'\n",
      },
    ],
    files: [
      {
        path: 'functions/shapes/language/pt/facts.ts',
        text: `import type { LanguageFacts } from '../facts.ts'\n
export const facts = {
  code: 'pt',
  name: 'Português',
  direction: 'ltr',
  openGraph: 'pt_PT',
  formatTag: 'pt',
  hasPictureFont: true,
} as const satisfies LanguageFacts\n`,
      },
    ],
  },
]
