/**
 * Computes the weights of the inner vertices of a line: the area of the triangle that would vanish with each
 * (Visvalingam and Whyatt, 1993), at least as much as for vertices removed before, written to `weights` by the numbers
 * of the vertices. End points are unchanged.
 */
export function computeCornerWeights(
  corners: Int32Array,
  xs: Float64Array,
  ys: Float64Array,
  weights: Float64Array,
): void {
  const last = corners.length - 1
  if (last < 2) return
  const before = new Int32Array(corners.length)
  const after = new Int32Array(corners.length)
  const areas = new Float64Array(corners.length)
  const triangle = (i: number) => {
    const [a, b, c] = [
      corners[before[i] as number] as number,
      corners[i] as number,
      corners[after[i] as number] as number,
    ]
    const [ax, ay] = [xs[a] as number, ys[a] as number]
    const cross =
      ((xs[b] as number) - ax) * ((ys[c] as number) - ay) -
      ((xs[c] as number) - ax) * ((ys[b] as number) - ay)
    return Math.abs(cross) / 2
  }
  const heap = new LeastFirst(areas)
  for (let i = 1; i < last; i++) {
    before[i] = i - 1
    after[i] = i + 1
    areas[i] = triangle(i)
    heap.add(i)
  }
  let most = 0
  for (let i = heap.removeLeast(); i !== undefined; i = heap.removeLeast()) {
    most = Math.max(most, areas[i] as number)
    weights[corners[i] as number] = most
    const [left, right] = [before[i] as number, after[i] as number]
    after[left] = right
    before[right] = left
    for (const near of [left, right]) {
      if (near === 0 || near === last) continue
      areas[near] = triangle(near)
      heap.move(near)
    }
  }
}

/** A binary heap of numbers by their values, of which one may change. */
class LeastFirst {
  readonly #values: Float64Array
  readonly #heap: Int32Array
  readonly #places: Int32Array
  #size = 0

  constructor(values: Float64Array) {
    this.#values = values
    this.#heap = new Int32Array(values.length)
    this.#places = new Int32Array(values.length)
  }

  add(item: number): void {
    this.#put(item, this.#size++)
    this.#rise(item)
  }

  /** Removes the item with the least value; undefined when there is none. */
  removeLeast(): number | undefined {
    if (this.#size === 0) return undefined
    const least = this.#heap[0]
    const last = this.#heap[--this.#size] as number
    if (this.#size > 0) {
      this.#put(last, 0)
      this.#sink(last)
    }
    return least
  }

  /** Restores the heap order of an item after its value changed. */
  move(item: number): void {
    this.#rise(item)
    this.#sink(item)
  }

  #put(item: number, place: number): void {
    this.#heap[place] = item
    this.#places[item] = place
  }

  #rise(item: number): void {
    const value = this.#values[item] as number
    let place = this.#places[item] as number
    while (place > 0) {
      const up = (place - 1) >> 1
      const above = this.#heap[up] as number
      if ((this.#values[above] as number) <= value) break
      this.#put(above, place)
      place = up
    }
    this.#put(item, place)
  }

  #sink(item: number): void {
    const value = this.#values[item] as number
    let place = this.#places[item] as number
    for (;;) {
      let down = 2 * place + 1
      if (down >= this.#size) break
      const [left, right] = [this.#heap[down] as number, this.#heap[down + 1] as number]
      if (down + 1 < this.#size && (this.#values[right] as number) < (this.#values[left] as number)) down += 1
      const below = this.#heap[down] as number
      if ((this.#values[below] as number) >= value) break
      this.#put(below, place)
      place = down
    }
    this.#put(item, place)
  }
}
