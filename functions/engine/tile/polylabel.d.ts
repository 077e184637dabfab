declare module 'polylabel' {
  /** The point of a polygon that is farthest from its edges, to within `precision` of the best. */
  export default function polylabel(polygon: number[][][], precision?: number): [number, number]
}
