import { index, layout, route, type RouteConfig } from '@remix-run/route-config'

/**
 * THE route table. Paths that exist in both modes stand outside the layouts and choose by `site.mode`; the
 * others are 404 in the wrong mode. Guards only decide where a person is sent: `call` protects.
 */
export default [
  index('routes/index.tsx'),
  route('map', 'routes/map.tsx'),
  route('pages/storytelling/:pageId/preview', 'routes/pages/preview.tsx', { id: 'storytelling-preview' }),
  route('pages/blank/:pageId/preview', 'routes/pages/preview.tsx', { id: 'blank-preview' }),
  route('error', 'routes/error.tsx'),

  layout('routes/modes/hub.tsx', [
    route('datastories', 'routes/hub/data-stories.tsx'),
    route('domains', 'routes/hub/domains.tsx'),
    route('domains/:dataTypeId/source/:sourceId', 'routes/hub/domain-source.tsx'),
    route('about', 'routes/hub/about.tsx'),
  ]),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
