import { expect, test } from 'vitest'
import type { HubPath } from '#functions/edge/hub/hub-pages.ts'
import type { Manifest, ManifestPage } from '#functions/edge/hub/manifest.ts'
import { planStages } from './stages.ts'

const pages: HubPath[] = ['/', '/domains', '/search', '/domains/rain/source/one', '/about'].map((path) => ({
  path,
  status: 200,
  kind: 'page',
}))
const files: HubPath[] = [
  '/sitemap.xml',
  '/feed.atom',
  '/domains/rain/source/one/feed.atom',
  '/og/home.png',
].map((path) => ({ path, status: 200, kind: path.startsWith('/og/') ? 'shown' : 'file' }))
const paths = [...pages, ...files]
const buildManifest = (names: string[]): Manifest => ({
  placeId: 'oak',
  number: 1,
  pages: Object.fromEntries(names.map((name) => [name, {} as ManifestPage])),
})

const listStagePaths = (stages: ReturnType<typeof planStages>) =>
  stages.map((stage) => paths.filter((path) => stage(path)).map(({ path }) => path))

test('pages do not wait for pictures', () => {
  const whole = [...paths.map(({ path }) => path).filter((path) => !path.startsWith('/og/'))]
  expect(listStagePaths(planStages(null, paths))).toEqual([whole, ['/og/home.png']])
  expect(listStagePaths(planStages(buildManifest(['en /', 'es /', 'en /sitemap.xml']), paths))).toEqual([
    whole,
    ['/og/home.png'],
  ])
})

test('removes withdrawn paths first, then renders lists, then the rest; each path once', () => {
  expect(listStagePaths(planStages(buildManifest(['en /', 'ar /domains/rain/source/gone']), paths))).toEqual([
    [],
    ['/', '/domains', '/search', '/sitemap.xml', '/feed.atom'],
    ['/domains/rain/source/one', '/about', '/domains/rain/source/one/feed.atom'],
    ['/og/home.png'],
  ])
})
