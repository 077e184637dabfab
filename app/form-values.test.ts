import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Files whose several lines are no one's words to lose, and why. */
const exempt: Record<string, string> = {
  'app/components/form/field.tsx': 'the input itself',
  'app/components/form/rich-field.tsx': 'the input itself',
  'app/routes/sources/custom-inputs.tsx': 'the input itself; of many sources its words stand in the address',
  'app/routes/insights/shared-line.tsx': 'only to be copied',
  'app/routes/types/schema/example.ts': 'a name in a comment',
  'app/routes/importers/diff.tsx': 'only read',
  'app/routes/translations/file-panel.tsx': 'only sent back as it was read',
}
const manyLines = /<(?:textarea|TextArea|RichField|RichEditor)\b/

const read = (path: string) => readFileSync(path, 'utf8')

/** The modules a file needs to run, of this room. */
function readImports(path: string): string[] {
  const importMatches = [
    ...read(path).matchAll(/(?:^|\n)(?:import|export)\s(?!type\b)[^'"]*?from '([^']+)'|import\('([^']+)'\)/g),
  ]
  return importMatches.flatMap(([, from, lazy]) => {
    const to = from ?? lazy ?? ''
    const file = to.startsWith('#app/')
      ? `app/${to.slice(5)}`
      : to.startsWith('.')
        ? normalize(join(dirname(path), to))
        : ''
    return /^app\/(?:components|routes)\//.test(file) && existsSync(file) ? [file] : []
  })
}

function listReachableFiles(start: string): Set<string> {
  const paths = new Set([start])
  for (const path of paths) for (const next of readImports(path)) paths.add(next)
  return paths
}

const routes = (readdirSync('app/routes', { recursive: true }) as string[])
  .map((name) => `app/routes/${name}`)
  .filter(
    (path) => /\.tsx$/.test(path) && /export default function/.test(read(path)) && !path.includes('/modes/'),
  )
const writing = routes.flatMap((route) => {
  const reached = listReachableFiles(route)
  const inputs = [...reached].filter((path) => !Object.hasOwn(exempt, path) && manyLines.test(read(path)))
  return inputs.length && /export (?:(?:async )?function|const) action\b/.test(read(route))
    ? [{ route, reached, inputs }]
    : []
})

test('there are such screens', () => {
  expect(writing.map(({ route }) => route)).toContain('app/routes/pages/modify.tsx')
  expect(writing.length).toBeGreaterThanOrEqual(15)
})

test.each(writing)('input on $route is kept when a save fails', ({ route, reached, inputs }) => {
  const source = read(route)
  for (const name of ['clientAction', 'clientLoader', 'shouldRevalidate'])
    expect(source, `${route} exports ${name}: it has ${inputs.join(', ')}`).toMatch(
      new RegExp(`export \\{[^}]*\\b${name}\\b[^}]*\\} from '#app/client/drafts/client-handlers.ts'`),
    )
  const means = ['app/components/form/draft-form.tsx', 'app/routes/pages/story/use-saving.ts']
  expect(means.some((path) => reached.has(path))).toBe(true)
})

test.each([...new Set(writing.flatMap(({ inputs }) => inputs))])(
  '%s is in no form without a draft',
  (path) => {
    // Forms of single buttons beside it have no words; those of the story's parts are kept part by part.
    const forms = read(path)
      .split(/<(?:Form\b(?=[^>]*method="post")|ShortForm\b)/)
      .slice(1)
    const withWords = forms.filter((form) => manyLines.test(form.split(/<\/(?:Short)?Form>/)[0] ?? ''))
    const isPart = read(path).includes('useSaving(')
    expect(isPart ? [] : withWords).toEqual([])
  },
)
