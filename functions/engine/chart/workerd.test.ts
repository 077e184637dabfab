import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { samples } from './samples.testing.ts'
import { chartSpec } from './spec.ts'
import { chartSvg } from './svg.ts'

let worker: Miniflare

beforeAll(async () => {
  const bundle = await build({
    stdin: {
      contents: `
        import { samples } from './samples.testing.ts'
        import { chartSpec } from './spec.ts'
        import { chartSvg } from './svg.ts'
        export default {
          async fetch(request) {
            const sample = samples[new URL(request.url).pathname.slice(1)]
            const svg = await chartSvg(chartSpec(sample), { id: 'a', title: 'a', description: 'a' })
            return new Response(svg)
          },
        }`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  worker = new Miniflare({
    modules: true,
    compatibilityDate: '2026-04-01',
    script: bundle.outputFiles[0]?.text ?? '',
  })
})
afterAll(() => worker.dispose())

it.each(Object.keys(samples) as (keyof typeof samples)[])(
  'draws %s in the Worker as in Node',
  async (name) => {
    const response = await worker.dispatchFetch(`http://localhost/${name}`)
    const spec = chartSpec(samples[name])
    expect(await response.text()).toBe(
      spec && (await chartSvg(spec, { id: 'a', title: 'a', description: 'a' })),
    )
  },
)
