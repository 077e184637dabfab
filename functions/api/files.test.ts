import { describe, expect, test } from 'vitest'
import { kernelContext } from './context.testing.ts'
import { endpoint } from './endpoint.ts'
import { serve } from './serve.ts'
import { Download } from '#functions/shapes/download.ts'

const open = { allow: 'api.read' } as const

const tree = {
  boundary: {
    findById: endpoint({ ...open, run: async (_ctx, { params }) => ({ boundaryId: params.boundaryId }) }),
    '.svg': endpoint({
      ...open,
      http: { method: 'get', one: true },
      stream: true,
      run: async (_ctx, { params }) => new Download('image/svg+xml', `<svg id="${params.boundaryId}"/>`),
    }),
    '.metadata.json': endpoint({
      ...open,
      http: { method: 'get', one: true },
      run: async (_ctx, { params }) => ({ of: params.boundaryId }),
    }),
    '.json': endpoint({
      ...open,
      http: { method: 'get', one: true },
      run: async (_ctx, { params }) => ({ id: params.boundaryId }),
    }),
  },
}

const v1 = serve(tree)
const ctx = kernelContext()

const ask = (path: string, init: RequestInit = {}) => v1(new Request(`http://hub.test${path}`, init), ctx)
const body = async (response: Promise<Response>) =>
  (await response).json() as Promise<Record<string, unknown>>

describe('files of one instance', () => {
  test('are at its address with an ending, beside the instance itself', async () => {
    expect(await (await ask('/v1/boundaries/us-ny.svg')).text()).toBe('<svg id="us-ny"/>')
    expect(await body(ask('/v1/boundaries/us-ny.json'))).toEqual({ id: 'us-ny' })
    expect(await body(ask('/v1/boundaries/us-ny.metadata.json'))).toEqual({ of: 'us-ny' })
    expect(await body(ask('/v1/boundaries/us-ny'))).toEqual({ boundaryId: 'us-ny' })
  })

  test('know no other ending, no other method and no address without an id', async () => {
    expect(await body(ask('/v1/boundaries/us-ny.gif'))).toEqual({ boundaryId: 'us-ny.gif' })
    expect(await body(ask('/v1/boundaries/us-nyxsvg'))).toEqual({ boundaryId: 'us-nyxsvg' })
    expect(await body(ask('/v1/boundaries/a.b.json'))).toEqual({ boundaryId: 'a.b.json' })
    expect(await body(ask('/v1/boundaries/.json'))).toEqual({ boundaryId: '.json' })
    expect((await ask('/v1/boundaries/us-ny.svg/')).status).toBe(200)
    const response = await ask('/v1/boundaries/us-ny.svg', { method: 'POST', body: '{}' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })
})
