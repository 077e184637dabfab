import type { Position } from './cells.testing.ts'

/*
 * The spheroid WGS 84, by the formulas of T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid"
 * (1975): right to half a millimetre, except for points on opposite sides of the earth. PostGIS uses Karney's.
 */
const a = 6_378_137
const f = 1 / 298.257223563
const b = a * (1 - f)
const radians = Math.PI / 180

interface Geodesic {
  meters: number
  /** At the start, clockwise from north, in radians. */
  azimuth: number
}

/** The shortest way between two positions in degrees. */
export function geodesic([x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): Geodesic {
  if (x1 === x2 && y1 === y2) return { meters: 0, azimuth: 0 }
  const L = (x2 - x1) * radians
  const [u1, u2] = [y1, y2].map((y) => Math.atan((1 - f) * Math.tan(y * radians))) as [number, number]
  const [sin1, cos1, sin2, cos2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)]
  let lambda = L
  for (let i = 0; i < 1000; i++) {
    const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)]
    const sinSigma = Math.hypot(cos2 * sinL, cos1 * sin2 - sin1 * cos2 * cosL)
    const cosSigma = sin1 * sin2 + cos1 * cos2 * cosL
    const sigma = Math.atan2(sinSigma, cosSigma)
    const sinAlpha = (cos1 * cos2 * sinL) / sinSigma
    const cos2Alpha = 1 - sinAlpha ** 2
    const cosM = cos2Alpha === 0 ? 0 : cosSigma - (2 * sin1 * sin2) / cos2Alpha
    const C = (f / 16) * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
    const next =
      L + (1 - C) * f * sinAlpha * (sigma + C * sinSigma * (cosM + C * cosSigma * (2 * cosM ** 2 - 1)))
    if (Math.abs(next - lambda) > 1e-13) {
      lambda = next
      continue
    }
    const { A, computeDelta } = series(cos2Alpha)
    return {
      meters: b * A * (sigma - computeDelta(sinSigma, cosSigma, cosM)),
      azimuth: Math.atan2(cos2 * sinL, cos1 * sin2 - sin1 * cos2 * cosL),
    }
  }
  throw new Error('These are on opposite sides of the earth.')
}

/** The destination after a distance in a direction. */
function walk([x = 0, y = 0]: Position, azimuth: number, meters: number): Position {
  const u1 = Math.atan((1 - f) * Math.tan(y * radians))
  const [sin1, cos1, sinA, cosA] = [Math.sin(u1), Math.cos(u1), Math.sin(azimuth), Math.cos(azimuth)]
  const sigma1 = Math.atan2(Math.tan(u1), cosA)
  const sinAlpha = cos1 * sinA
  const cos2Alpha = 1 - sinAlpha ** 2
  const { A, computeDelta } = series(cos2Alpha)
  let sigma = meters / (b * A)
  for (let i = 0; i < 50; i++) {
    const cosM = Math.cos(2 * sigma1 + sigma)
    sigma = meters / (b * A) + computeDelta(Math.sin(sigma), Math.cos(sigma), cosM)
  }
  const [sinS, cosS, cosM] = [Math.sin(sigma), Math.cos(sigma), Math.cos(2 * sigma1 + sigma)]
  const latitude = Math.atan2(
    sin1 * cosS + cos1 * sinS * cosA,
    (1 - f) * Math.hypot(sinAlpha, sin1 * sinS - cos1 * cosS * cosA),
  )
  const lambda = Math.atan2(sinS * sinA, cos1 * cosS - sin1 * sinS * cosA)
  const C = (f / 16) * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
  const L = lambda - (1 - C) * f * sinAlpha * (sigma + C * sinS * (cosM + C * cosS * (2 * cosM ** 2 - 1)))
  return [x + L / radians, latitude / radians]
}

function series(cos2Alpha: number) {
  const u2 = (cos2Alpha * (a * a - b * b)) / (b * b)
  const A = 1 + (u2 / 16384) * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
  const B = (u2 / 1024) * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
  const computeDelta = (sinS: number, cosS: number, cosM: number) =>
    B *
    sinS *
    (cosM +
      (B / 4) * (cosS * (2 * cosM ** 2 - 1) - (B / 6) * cosM * (4 * sinS ** 2 - 3) * (4 * cosM ** 2 - 3)))
  return { A, computeDelta }
}

/** Metres along a line. */
export function lineLength(line: readonly Position[]): number {
  return line.slice(1).reduce((sum, to, i) => sum + geodesic(line[i] as Position, to).meters, 0)
}

const e2 = 1 - (b / a) ** 2
const e = Math.sqrt(e2)
/** The area between the equator and a latitude, for each radian of longitude. */
function areaBelow(latitude: number): number {
  const sin = Math.sin(latitude * radians)
  return ((b * b) / 2) * (sin / (1 - e2 * sin * sin) + Math.log((1 + e * sin) / (1 - e * sin)) / (2 * e))
}

/** The area of a ring of geodesics in square metres: each side is divided into short pieces and integrated by Simpson's rule. */
export function ringArea(ring: readonly Position[]): number {
  const pieces = 64
  const sum = ring.slice(1).reduce((total, to, i) => {
    const from = ring[i] as Position
    const { meters, azimuth } = geodesic(from, to)
    const getPositionAtShare = (share: number) =>
      share === 0 ? from : share === 1 ? to : walk(from, azimuth, meters * share)
    let side = 0
    for (let piece = 0; piece < pieces; piece++) {
      const [x1 = 0, y1 = 0] = getPositionAtShare(piece / pieces)
      const [xm = 0, ym = 0] = getPositionAtShare((piece + 0.5) / pieces)
      const [x2 = 0, y2 = 0] = getPositionAtShare((piece + 1) / pieces)
      const [f1, fm, f2] = [areaBelow(y1), areaBelow(ym), areaBelow(y2)]
      // The integral of the parabola through three points, which need not be evenly spaced.
      side += integral([x1, xm, x2], [f1, fm, f2]) * radians
    }
    return total + side
  }, 0)
  return Math.abs(sum)
}

function integral([x1, xm, x2]: [number, number, number], [f1, fm, f2]: [number, number, number]): number {
  const width = x2 - x1
  if (width === 0 || xm === x1 || xm === x2) return (width * (f1 + f2)) / 2
  const slope = (fm - f1) / (xm - x1)
  const bend = ((f2 - fm) / (x2 - xm) - slope) / width
  // ∫ f1 + slope (x - x1) + bend (x - x1)(x - xm)
  return f1 * width + (slope * width ** 2) / 2 + bend * (width ** 3 / 3 - ((xm - x1) * width ** 2) / 2)
}
