declare module 'polylabel' {
  /** Gives the point of a polygon that is farthest from its edges, to within `precision` of the best. */
  export default function polylabel(polygon: number[][][], precision?: number): [number, number]
}
