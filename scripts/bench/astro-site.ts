import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Words } from './words.ts'

/**
 * A typical Astro site: a layout, one component per kind of block, one route for all documents. Each document
 * is read from its own file, as from a content store.
 */
const files: Record<string, string> = {
  'package.json': `{ "name": "site", "private": true, "type": "module" }`,
  'astro.config.mjs': `export default { output: 'static', site: 'https://hub.example', devToolbar: { enabled: false } }`,
  'src/layouts/Layout.astro': `---
const { title, locale } = Astro.props
---
<!doctype html>
<html lang={locale}>
  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>{title}</title></head>
  <body>
    <header><a href="/">Home</a></header>
    <main><slot /></main>
    <footer><p>Made of the same words</p></footer>
  </body>
</html>
`,
  'src/components/Row.astro': `---
const { cells } = Astro.props
---
<table><tr>{cells.map((cell) => <td>{cell}</td>)}</tr></table>
`,
  'src/components/Part.astro': `---
import Row from './Row.astro'
const { part } = Astro.props
const Heading = 'h' + part.level
---
{part.kind === 'heading' && <Heading>{part.text}</Heading>}
{part.kind === 'paragraph' && <p>{part.text}</p>}
{part.kind === 'row' && <Row cells={part.cells} />}
{part.kind === 'picture' && <Fragment set:html={part.svg} />}
`,
  'src/pages/[...path].astro': `---
import { readFileSync } from 'node:fs'
import Layout from '../layouts/Layout.astro'
import Part from '../components/Part.astro'
export function getStaticPaths() {
  const paths = JSON.parse(readFileSync('documents/paths.json', 'utf8'))
  return paths.map((path, n) => ({ params: { path }, props: { n } }))
}
const { title, locale, blocks } = JSON.parse(readFileSync('documents/' + Astro.props.n + '.json', 'utf8'))
---
<Layout title={title} locale={locale}>{blocks.map((part) => <Part part={part} />)}</Layout>
`,
}

/**
 * Writes the site into a folder, which is emptied first. It must be below the project, so that Astro is
 * found.
 */
export function writeAstro(folder: string, documents: readonly Words[]): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  mkdirSync(join(folder, 'documents'))
  writeFileSync(join(folder, 'documents/paths.json'), JSON.stringify(documents.map(({ path }) => path)))
  for (const [n, words] of documents.entries())
    writeFileSync(join(folder, `documents/${n}.json`), JSON.stringify(words))
}

/** Builds the site in a separate process; returns the milliseconds, Astro's start included. */
export async function buildByAstro(folder: string, documents: readonly Words[]): Promise<number> {
  const program = join(dirname(createRequire(import.meta.url).resolve('astro/package.json')), 'astro.js')
  const startMs = performance.now()
  let output = ''
  const child = spawn(process.execPath, [program, 'build', '--silent'], {
    cwd: folder,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const took = performance.now() - startMs
  const builtFiles = (readdirSync(join(folder, 'dist'), { recursive: true }) as string[]).filter((name) =>
    name.endsWith('.html'),
  )
  if (status !== 0 || builtFiles.length !== documents.length)
    throw new Error(
      `Astro made ${builtFiles.length} of ${documents.length} pages (${status}): ${output.slice(-2000)}`,
    )
  return took
}
