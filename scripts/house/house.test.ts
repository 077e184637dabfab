import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findCircles } from './circles.ts'
import { findDuplicates } from './duplicates.ts'
import { findGaps } from './flows.ts'
import { houseFaults } from './house.ts'
import { findBreaches } from './layers.ts'
import { parseModule, type Module } from './modules.ts'
import { additions } from './additions.ts'
import { textsWith } from './places.ts'
import { findMissingColumns } from './row-columns.ts'
import { findUnusedExports } from './unused-exports.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Parses modules from texts, by their paths. */
const parseModules = (texts: Record<string, string>): Map<string, Module> =>
  new Map(Object.entries(texts).map(([path, text]) => [path, parseModule(path, text)]))

test('reads imports of every form from the syntax tree', () => {
  const { imports } = parseModule(
    'functions/domain/source/sources.ts',
    `import { a, type B } from '#functions/engine/x.ts'
    import type { C } from '../place/places.ts'
    import * as whole from './shape.ts'
    import './effect.ts'
    // import { commented } from '#functions/jobs/never.ts'
    const text = "import { quoted } from '#functions/jobs/never.ts'"
    export const later = () => import('#functions/engine/late.ts')
    export const one = whole.used as unknown as import('hono').Context`,
  )
  expect(imports.map(({ from, name, isType, isPackage }) => [from, name, isType, isPackage])).toEqual([
    ['functions/engine/x.ts', 'a', false, false],
    ['functions/engine/x.ts', 'B', true, false],
    ['functions/domain/place/places.ts', 'C', true, false],
    ['functions/domain/source/shape.ts', '', false, false],
    ['functions/domain/source/effect.ts', '', false, false],
    ['functions/engine/late.ts', '*', false, false],
    ['functions/domain/source/shape.ts', 'used', false, false],
    ['hono', 'Context', true, true],
  ])
})

const breaches = (path: string, text: string) =>
  findBreaches(parseModules({ [path]: text })).map(({ imports, why }) => `${imports}: ${why}`)

test.each([
  [
    'the engine a noun',
    'functions/engine/query/x.ts',
    '#functions/domain/place/places.ts',
    /functions\/engine may not/,
  ],
  [
    'the edge the domain',
    'functions/edge/hub/x.ts',
    '#functions/domain/hub/hubs.ts',
    /functions\/edge may not/,
  ],
  [
    'the domain a job',
    'functions/domain/hub/x.ts',
    '../../jobs/publish/publish.ts',
    /functions\/domain may not/,
  ],
  [
    'the domain the kernel',
    'functions/domain/hub/x.ts',
    '#functions/api/call.ts',
    /functions\/domain may not/,
  ],
  ['shapes anything', 'functions/shapes/x.ts', '#functions/errors.ts', /functions\/shapes may not/],
  ['a component the kernel', 'app/components/x.tsx', '#functions/api/call.ts', /app may not/],
  ['a job hono', 'functions/jobs/x.ts', 'hono', /hono is kept to/],
  ['a noun hono below a folder', 'functions/domain/x/y.ts', 'hono/cors', /hono is kept to/],
])('%s may not be imported by it', (_, path, target, says) => {
  expect(breaches(path, `import { x } from '${target}'`)).toEqual([expect.stringMatching(says)])
  expect(breaches(path, `export const x = () => import('${target}')`)).toEqual([expect.stringMatching(says)])
  expect(breaches(path, `export { x } from '${target}'`)).toEqual([expect.stringMatching(says)])
})

test('lower layers may be imported, and types where they are marked as types', () => {
  expect(breaches('functions/domain/x/y.ts', `import { a } from '#functions/engine/a.ts'`)).toEqual([])
  expect(breaches('functions/context.ts', `import type { Db } from '#db/schema.ts'`)).toEqual([])
  expect(breaches('functions/context.ts', `import { Db } from '#db/schema.ts'`)).toHaveLength(1)
  // A test may import everything.
  expect(breaches('functions/shapes/x.test.ts', `import { a } from '#functions/jobs/a.ts'`)).toEqual([])
  expect(breaches('functions/loose.ts', `import { a } from '#functions/errors.ts'`)[0]).toMatch(/in no layer/)
})

const screens = new Set([
  'app/routes/pages/modify.tsx',
  'app/routes/index/index.tsx',
  'app/routes/org/manage.tsx',
])
const breachesOfScreens = (path: string, text: string) =>
  findBreaches(parseModules({ [path]: text }), screens).map(({ why }) => why)

test.each([
  ['a screen', 'app/routes/pages/modify.tsx', '#functions/v1/index.ts'],
  ['a screen', 'app/routes/pages/modify.tsx', './action.server.ts'],
  ['a screen', 'app/routes/index/index.tsx', '../modes/hub-page.tsx'],
  ['a server part', 'app/routes/pages/action.server.ts', '#functions/domain/page/contents.ts'],
  ['a server part', 'app/routes/pages/action.server.ts', '#app/server/load.server.ts'],
  ['a server part', 'app/routes/pages/action.server.ts', './story/blocks.ts'],
  ['a part that is drawn', 'app/routes/pages/story/block.tsx', '#app/components/form/field.tsx'],
  ['a part that is drawn', 'app/routes/pages/story/block.tsx', '../dashboard/board.tsx'],
])('%s (%s) may import %s', (_, path, target) => {
  expect(breachesOfScreens(path, `import { x } from '${target}'`)).toEqual([])
})

test.each([
  ['a screen', 'app/routes/pages/modify.tsx', '#functions/domain/page/contents.ts', /app\/routes may not/],
  ['a screen', 'app/routes/pages/modify.tsx', '../org/tabs.tsx', /a part of app\/routes\/org/],
  ['a screen', 'app/routes/pages/modify.tsx', '../org/manage.tsx', /a part of app\/routes\/org/],
  ['a server part', 'app/routes/pages/action.server.ts', '#functions/jobs/x.ts', /\.server may not/],
  ['a server part', 'app/routes/pages/action.server.ts', '../org/manage.server.ts', /a part of app/],
  ['a part', 'app/routes/pages/story/block.tsx', '#functions/v1/index.ts', /routes\/\* may not/],
  ['a part', 'app/routes/pages/story/block.tsx', '#functions/domain/page/contents.ts', /routes\/\* may not/],
  ['a part', 'app/routes/pages/story/block.tsx', '../action.server.ts', /no part of the server/],
  ['a part', 'app/routes/pages/story/block.tsx', '#app/server/load.server.ts', /no part of the server/],
  ['a component', 'app/components/x.tsx', '#app/routes/pages/story/block.tsx', /a part of app/],
  ['a component', 'app/components/x.tsx', '#app/server/load.server.ts', /no part of the server/],
  ['the common server', 'app/server/x.server.ts', '#app/routes/org/manage.server.ts', /a part of app/],
])('%s (%s) may not import %s', (_, path, target, says) => {
  expect(breachesOfScreens(path, `import { x } from '${target}'`)).toEqual([expect.stringMatching(says)])
  expect(breachesOfScreens(path, `export const x = () => import('${target}')`)).toEqual([
    expect.stringMatching(says),
  ])
})

test("a component may import the types of the server's answers", () => {
  const path = 'app/routes/pages/story/block.tsx'
  expect(breachesOfScreens(path, `import type { A } from '../action.server.ts'`)).toEqual([])
  expect(breachesOfScreens(path, `import type { A } from '#functions/v1/index.ts'`)).toEqual([])
})

test('reports an export that nobody imports, through namespaces and re-exports', () => {
  const unused = findUnusedExports(
    parseModules({
      'functions/domain/a.ts': `export const used = 1
        export const unused = 2
        export const inside = used
        export const two = inside
        export const tested = 3`,
      'functions/domain/b.ts': `export const whole = 1`,
      'functions/domain/c.ts': `export { whole } from './b.ts'
        export { used as again } from './a.ts'`,
      'functions/domain/d.ts': `export const first = 1
        export const second = 2`,
      'functions/worker.ts': `import { whole } from './domain/c.ts'
        import { used } from './domain/a.ts'
        import * as d from './domain/d.ts'
        export default { used, whole, first: d.first }`,
      'functions/domain/a.test.ts': `import { tested } from './a.ts'; tested`,
    }),
  )
  expect(unused.map(({ path, name, usedBy }) => [path, name, usedBy])).toEqual([
    ['functions/domain/a.ts', 'unused', 'nobody'],
    ['functions/domain/a.ts', 'inside', 'itself'],
    ['functions/domain/a.ts', 'two', 'nobody'],
    ['functions/domain/a.ts', 'tested', 'tests'],
    ['functions/domain/c.ts', 'again', 'nobody'],
    ['functions/domain/d.ts', 'second', 'nobody'],
  ])
})

test('a namespace that is passed on whole uses all exports of its module', () => {
  const texts = {
    'functions/domain/d.ts': 'export const first = 1',
    'functions/worker.ts': `import * as d from './domain/d.ts'\nexport default { d }`,
  }
  expect(findUnusedExports(parseModules(texts))).toEqual([])
})

test('rooms that import each other form a circle, also through a third one', () => {
  const from = (target: string) => `import { x } from '#functions/${target}/x.ts'`
  const modules = parseModules({
    'functions/edge/a.ts': from('engine'),
    'functions/engine/a.ts': from('shapes'),
    'functions/shapes/a.ts': from('edge'),
    'functions/api/a.ts': from('engine'),
  })
  expect(findCircles(modules.values())).toEqual([
    {
      rooms: ['functions/edge', 'functions/engine', 'functions/shapes'],
      imports: [
        { from: 'functions/edge', to: 'functions/engine', count: 1 },
        { from: 'functions/engine', to: 'functions/shapes', count: 1 },
        { from: 'functions/shapes', to: 'functions/edge', count: 1 },
      ],
    },
  ])
})

test('six or more equal lines are a duplicate, without imports and blank lines', () => {
  const lines = Array.from({ length: 8 }, (_, i) => `const value${i} = compute(${i})`)
  const first = ["import { compute } from './a.ts'", '', ...lines].join('\n')
  const second = ["import { other } from './b.ts'", ...lines.map((line) => `  ${line}`), 'other()'].join('\n')
  expect(findDuplicates(new Map(Object.entries({ 'a.ts': first, 'b.ts': second })))).toEqual([
    { lines: 8, first: { path: 'a.ts', line: 3 }, second: { path: 'b.ts', line: 2 } },
  ])
  const short = lines.slice(0, 5).join('\n')
  expect(findDuplicates(new Map(Object.entries({ 'a.ts': short, 'b.ts': short })))).toEqual([])
})

test('a flow has a gap where a file is missing, or is imported by no earlier one', () => {
  const flow = { name: 'way', stops: ['a.ts', 'b.ts', 'c.ts', 'd.ts'], handedOver: ['c.ts'] }
  const modules = parseModules({
    'a.ts': `import './b.ts'`,
    'b.ts': '',
    'c.ts': `import './d.ts'`,
    'd.ts': '',
  })
  expect(findGaps(flow, modules)).toEqual([])
  expect(findGaps({ ...flow, handedOver: [] }, modules)).toEqual(['way: nothing before c.ts imports it'])
  expect(findGaps(flow, parseModules({ 'a.ts': '', 'c.ts': '' }))).toEqual([
    'way: b.ts does not exist',
    'way: d.ts does not exist',
  ])
})

test('reports loose files, circles, gaps, bare casts and names in camelCase as faults', () => {
  const faults = houseFaults(
    parseModules({
      'functions/loose.ts': '',
      'functions/engine/a.ts': `import { b } from '#functions/shapes/b.ts'\nexport const a = b as unknown as string`,
      'functions/shapes/b.ts': `export { a as b } from '#functions/engine/a.ts'`,
      'scripts/places/openPlace.ts': '',
      'functions/domain/dataType/move.test.ts': '',
    }),
  )
  expect(faults.filter((fault) => fault.endsWith('kebab-case'))).toHaveLength(2)
  for (const says of [
    /loose\.ts lies on the floor/,
    /circle: .*engine/,
    /a\.ts:2: a double cast/,
    /gone|exist|missing/,
  ])
    expect(faults).toContainEqual(expect.stringMatching(says))
})

test('counts double casts, and reports the line of each without a reason beside it', () => {
  const { doubleCasts, bareCasts } = parseModule(
    'functions/engine/x.ts',
    `const once = value as Shape
    const bare = value as unknown as Shape
    // Just found to be one.
    const reasoned = [value].map((each) => each as unknown as Shape)
    const made = {
      first: value as unknown as Shape,
      // Its types leave it out.
      second: value as unknown as Shape,
    }`,
  )
  expect(doubleCasts).toBe(4)
  expect(bareCasts).toEqual([2, 6])
})

test.each(additions)('$what can be added at the given places, and the README describes it', (addition) => {
  expect([...textsWith(addition).keys()].length).toBeGreaterThan(0)
  expect(readFileSync(join(root, addition.readme), 'utf8')).toMatch(/^#+ Adding an? /m)
})

const missingColumns = (...statements: string[]) =>
  findMissingColumns(
    new Map([
      ['db/rows.ts', 'export interface Row {\n  placeId: string\n  total: number\n  note?: string\n}'],
      [
        'db/a.ts',
        [
          "import { type Row as Counted } from './rows.ts'",
          'const names = sql`place_id, 1 as sum`',
          ...statements,
        ].join('\n'),
      ],
    ]),
  ).map(({ line, member }) => `${line}: ${member}`)

test.each([
  ['an alias', 'sql<{ count: string }>`select sweep_activity() as gone`', ['3: count']],
  [
    'a name inside brackets only',
    'sql<{ id: string }>`select (select id from a) as first from b`',
    ['3: id'],
  ],
  ['a condition only', 'sql<{ id: string }>`select key from a where id = ${id}`', ['3: id']],
  ['what is returned', 'sql<{ id: string }>`insert into a select id from b returning key`', ['3: id']],
  ['capitals that Postgres folds', "db.query<{ perDay: string }>('select 1 as perDay')", ['3: perDay']],
  ['an imported type', 'sql<Counted>`select place_id, count(*) as sum from a`', ['3: total']],
  ['a fragment of the same file', 'sql<Counted>`select ${names} from a`', ['3: total']],
  [
    'part of a type',
    "sql<Omit<Counted, 'total'> & { by: string }>`select 1 as total`",
    ['3: placeId', '3: by'],
  ],
  ['a call with the type', 'run<{ sum: string }>(sql`select total from a`)', ['3: sum']],
  [
    'keys of JSON',
    "sql<{ at: string }[] | null>`(select jsonb_agg(json_build_object('on', a.day)) from a)`",
    ['3: at'],
  ],
])('reports a member of a row type that no column has: %s', (_, statement, expected) => {
  expect(missingColumns(statement)).toEqual(expected)
})

test('finds columns by alias, column, function and cast, and skips statements whose text does not list them', () => {
  const fine = [
    'sql<Counted>`with a as (select 1) select distinct on (x) t.place_id, count(*) filter (where b)::int as total -- of a, b\n from a`',
    'sql<{ max: number; day: Date; isEqual: boolean; n: number }>`select max(a), b.day::date, c is distinct from d as "isEqual", 1 n from a`',
    'sql<{ mode: string; row: object }>`select mode() within group (order by a), to_jsonb(t)::jsonb as row from t`',
    'sql<Counted>`select * from a`',
    'sql<Counted>`select ${sql.join(columns)} from a`',
    'sql<Counted>`${statement}`',
    'sql<Record<string, number>>`select a from b`',
    'sql<string>`select a from b`',
  ]
  expect(missingColumns(...fine)).toEqual([])
})
