import { parse, safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { requireGoodImporter } from './check.ts'
import { importerMeta } from './meta.ts'
import { extractSecrets } from './secrets.ts'
import { importerTemplates } from './templates.ts'
import { ImporterMeta, ImporterTemplates, NewImporter } from '#functions/shapes/importer.ts'
import { parsers } from '#functions/shapes/parser/index.ts'
import { transforms } from '#functions/shapes/importer-transforms.ts'

const templates = await importerTemplates()

test.each(templates.map((template): [string, (typeof templates)[number]] => [template.id, template]))(
  'the template %s can be saved unchanged',
  (_id, { importer, fill }) => {
    const read = safeParse(NewImporter, importer)
    expect(read.issues).toBeUndefined()
    const { sources, schedule } = parse(NewImporter, importer)
    expect(() => requireGoodImporter({ sources, schedule })).not.toThrow()
    // No template contains a secret.
    expect(extractSecrets(sources, []).secrets).toEqual([])
    for (const { path } of fill) expect(path[0]).toMatch(/^(sources|mapping)$/)
  },
)

test('templates have unique ids and match their declared type', () => {
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
  expect(safeParse(ImporterTemplates, templates).success).toBe(true)
  for (const id of ['ckan', 'socrata', 'arcgis', 'opendatasoft', 'gtfs', 'usgs-earthquakes', 'csv', 'json'])
    expect(templates.map((template) => template.id)).toContain(id)
})

test('the catalogue lists every parser and transform, and unavailable ones with their reason', async () => {
  const meta = await importerMeta()
  expect(safeParse(ImporterMeta, meta).issues).toBeUndefined()
  expect(meta.parsers.map(({ name }) => name)).toEqual(Object.keys(parsers))
  expect(meta.transforms.map(({ name }) => name)).toEqual(Object.keys(transforms))
  expect(meta.parsers.find(({ name }) => name === 'json')?.options).toContainEqual(
    expect.objectContaining({ name: 'selector', required: true }),
  )
  const reasons = Object.fromEntries(meta.unsupported.map(({ name, reason }) => [name, reason]))
  expect(reasons.code).toMatch('Code transforms are not offered')
  expect(reasons.gdb).toMatch('File geodatabases cannot be read')
})
