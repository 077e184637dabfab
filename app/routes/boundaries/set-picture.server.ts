import type { FeatureCollection } from 'geojson'
import { pickNounForm } from '#app/components/list/list-query.ts'
import { findViewGround } from '#app/server/figures/ground.server.ts'
import type { Context } from '#functions/context.ts'
import type { ProjectionName } from '#functions/engine/map/projection.ts'
import { computeGroundView, staticMap } from '#functions/engine/map/static-map.ts'
import { defaultLocale } from '#functions/shapes/locale.ts'

const size = { width: 640, height: 420 }

/** The areas of a set on the base map as SVG, all in one colour. */
export async function drawSet(
  ctx: Context,
  { name, areaCount }: { name: string; areaCount: number },
  shapes: FeatureCollection,
  projection: ProjectionName,
): Promise<string> {
  const mapOptions = { shapes, ...size, projection }
  const { svg } = staticMap({
    ...{ ...mapOptions, ground: await findViewGround(ctx, computeGroundView(mapOptions)), id: 'boundaries' },
    ...{
      title: name,
      description: `${areaCount} ${pickNounForm(areaCount, 'areas')}`,
      locale: defaultLocale,
    },
    values: new Map(shapes.features.map(({ properties }) => [String(properties?.gid), 1])),
  })
  return svg
}
