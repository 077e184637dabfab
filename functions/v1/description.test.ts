import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { beforeAll, describe, expect, test } from 'vitest'
import { openapiAt, swaggerAt } from './document.ts'
import { v1 } from './index.ts'
import { nouns } from './nouns.ts'
import { table } from '#functions/domain/access/roles.ts'
import type { Document, Operation } from '#functions/api/openapi/types.ts'
import { routes } from '#functions/api/routes.ts'
import { settings } from '#db/worlds/world.ts'

const at = {
  site: { mode: 'main' as const, host: 'hub.example.org', origin: 'https://hub.example.org' },
  settings,
}
const all = routes(v1)

let document: Document
beforeAll(() => {
  document = JSON.parse(JSON.stringify(openapiAt(at))) as Document
})

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path)) as Operation[]

describe('OpenAPI 3.1', () => {
  test('has every endpoint, by its name in the tree', () => {
    expect(
      operations()
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual(all.map(({ name }) => name).sort())
    expect(document.servers).toEqual([{ url: 'https://hub.example.org/v1' }])
  })

  test('documents the values of fields, of result columns and of field lists', () => {
    const schemas = document.components.schemas as Record<string, { properties?: Record<string, unknown> }>
    for (const name of ['FieldRow', 'OutputFieldRow', 'FieldEntryRow'])
      expect(schemas[name]?.properties).toMatchObject({
        unit: { type: 'string' },
        values: { items: { properties: { name: { type: 'string' } }, required: ['value'] } },
        ...{ identifier: { const: true }, additive: { const: true } },
        region: { type: 'string' },
      })
  })

  test('passes the first linter', async () => {
    const rules = {
      // The API has no licence to declare.
      'info-license': 'off' as const,
    }
    const config = await createConfig({ extends: ['recommended'], rules })
    const source = JSON.stringify(document)
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    )
  })

  test('passes the second linter', async () => {
    const spectral = new spectralCore.Spectral()
    const ruleset = { extends: [[rulesets.oas, 'recommended']] } as unknown as RulesetDefinition
    spectral.setRuleset(ruleset)
    const problems = await spectral.run(JSON.stringify(document))
    expect(problems.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([])
  })

  test('lists the error statuses of every operation, and public ones without authentication', () => {
    for (const route of all) {
      const operation = operations().find(({ operationId }) => operationId === route.name)
      const isOpen = table[route.endpoint.allow].includes('anyone')
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining(['400', '401', '429', '503']),
      )
      expect([route.name, operation?.security.some((each) => !Object.keys(each).length)]).toEqual([
        route.name,
        isOpen,
      ])
    }
  })

  test('has a schema for every option and body, never "anything"', () => {
    const nothing: string[] = []
    for (const { operationId, parameters, requestBody } of operations()) {
      for (const parameter of parameters)
        if ('schema' in parameter && !Object.keys(parameter.schema).length)
          nothing.push(`${operationId} ${parameter.name}`)
      const body = requestBody?.content['application/json']
      if (body && !Object.keys(body.schema).length) nothing.push(`${operationId} body`)
    }
    expect(nothing).toEqual([])
  })

  test('has a description for every noun', () => {
    expect(document.tags.filter(({ name, description }) => name === description)).toEqual([])
    const used = new Set(document.tags.flatMap(({ name }) => [name, name.split('.').at(-1) ?? '']))
    expect(Object.keys(nouns).filter((noun) => !used.has(noun))).toEqual([])
  })
})

describe('Swagger 2.0', () => {
  const valid = async (swagger: unknown) => {
    const copy = JSON.parse(JSON.stringify(swagger)) as Parameters<typeof SwaggerParser.validate>[0]
    await SwaggerParser.validate(copy)
    return copy as unknown as {
      host: string
      basePath: string
      schemes: string[]
      paths: Record<string, object>
    }
  }

  test('is valid, and names the requested host', async () => {
    const swagger = await valid(swaggerAt(at))
    expect(swagger).toMatchObject({ host: 'hub.example.org', basePath: '/v1', schemes: ['https'] })
    expect(Object.keys(swagger.paths)).toEqual(Object.keys(document.paths))
  })

  test('of one place has its id filled in, and only its endpoints', async () => {
    const placeDescription = swaggerAt(at, { path: '/places/{placeId}', params: { placeId: 'oakton' } })
    const swagger = await valid(placeDescription)
    const paths = Object.keys(swagger.paths)
    expect(paths).toContain('/places/oakton/sources/{sourceId}/data')
    expect(paths.filter((path) => !path.startsWith('/places/oakton'))).toEqual([])
    expect(JSON.stringify(placeDescription)).not.toContain('"name":"placeId","in":"path"')
  })
})

test('a public list with a restricted option declares its 403', () => {
  const answers = (path: string) => Object.keys(document.paths[path]?.get?.responses ?? {})
  expect(answers('/places/{placeId}/pages')).toContain('403')
  expect(answers('/boundaries')).not.toContain('403')
})
