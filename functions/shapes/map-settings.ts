import * as v from 'valibot'
import { classCounts, classMethods, mapPalettes, maxPopupColumns, zoomLevels } from './analytics.ts'

const { least, most } = classCounts
const countMessage = `Must be a whole number from ${least} to ${most}.`
const zoomMessage = `Must be a number from ${zoomLevels.least} to ${zoomLevels.most}.`

const ascending = v.rawCheck<number[]>(({ dataset, addIssue }) => {
  if (!dataset.typed) return
  const { value: bounds } = dataset
  bounds.forEach((bound, key) => {
    const before = bounds[key - 1]
    if (before === undefined || bound > before) return
    addIssue({
      message: `Must be above the bound before it, ${before}.`,
      path: [{ type: 'array', origin: 'value', input: bounds, key, value: bound }],
    })
  })
})

/**
 * The classes of a map's regions. `count` of classes by quantiles, equal intervals or natural breaks; or `own` `bounds`, where each
 * class except the first starts, in the units of the result (0.35 for 35 %).
 */
const MapClasses = v.pipe(
  v.strictObject({
    by: v.picklist(classMethods, 'Must be quantile, equal, natural or own.'),
    count: v.optional(
      v.pipe(
        v.number(countMessage),
        v.integer(countMessage),
        v.minValue(least, countMessage),
        v.maxValue(most, countMessage),
      ),
    ),
    bounds: v.optional(
      v.pipe(
        v.array(v.pipe(v.number('Must be a number.'), v.finite('Must be a number.'))),
        v.minLength(least - 1, `Must have ${least - 1} to ${most - 1} bounds: one less than classes.`),
        v.maxLength(most - 1, `Must have ${least - 1} to ${most - 1} bounds: one less than classes.`),
        ascending,
      ),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['by'], ['bounds']],
      ({ by, bounds }) => (by === 'own') === (bounds !== undefined),
      'Must be there for own classes, and only for those.',
    ),
    ['bounds'],
  ),
  v.forward(
    v.partialCheck(
      [['by'], ['count']],
      ({ by, count }) => by !== 'own' || count === undefined,
      'Must not be there for own classes: their bounds say how many they are.',
    ),
    ['count'],
  ),
)

const Zoom = v.pipe(
  v.number(zoomMessage),
  v.minValue(zoomLevels.least, zoomMessage),
  v.maxValue(zoomLevels.most, zoomMessage),
)

/** The zoom range of the live map, in zoom levels of web maps. */
const MapZoom = v.pipe(
  v.strictObject({ least: v.optional(Zoom), most: v.optional(Zoom) }),
  v.forward(
    v.partialCheck(
      [['least'], ['most']],
      ({ least: far, most: near }) => (far ?? zoomLevels.least) < (near ?? zoomLevels.most),
      'Must be above the least.',
    ),
    ['most'],
  ),
)

/** What the measure of regions is divided by. `attribute`: of the areas of an organization's set, with an optional label on maps. */
const MapPer = v.union(
  [
    v.literal('area'),
    v.strictObject({
      attribute: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
      name: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100))),
    }),
  ],
  'Must be area, or an object with the attribute of the boundary set that has the numbers.',
)

/**
 * The settings of maps that are no columns of the result. `labels`: names on the map, by default only on live maps. `popup`: columns
 * in pop-ups. `sizeByValue`: the area of a circle is proportional to the column `size`; else circles count points. `per`: regions are
 * coloured by measure per km², or per an attribute of their set. `clusterByRegion`: points are one circle per region of the set
 * `boundarySetId`, sized by their number.
 */
export const mapSettings = {
  classes: v.optional(MapClasses),
  palette: v.optional(v.picklist(mapPalettes, 'Must be blue, orange, green, blue-orange or purple-green.')),
  labels: v.optional(v.boolean()),
  popup: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(200))),
      v.maxLength(maxPopupColumns, `Must not name more than ${maxPopupColumns} columns.`),
    ),
  ),
  zoom: v.optional(MapZoom),
  sizeByValue: v.optional(v.boolean()),
  per: v.optional(MapPer),
  clusterByRegion: v.optional(v.boolean()),
}
