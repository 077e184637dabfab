/** A unit: its kind, and its factor to the first unit of the kind. */
interface Unit {
  kind: string
  factor: number
  /** Added after multiplying; only temperatures have different zeros. */
  offset?: number
}

const pi = Math.PI
/**
 * The supported units by measurement. Exact by definition (SI brochure, 9th edition; international yard and pound of
 * 1959; IEC 80000-13). Names separated by a blank are synonyms.
 */
const kinds: Record<string, Record<string, number>> = {
  distance: {
    'm meter metre': 1,
    'µm micrometer': 1e-6,
    'mm millimeter millimetre': 1e-3,
    'cm centimeter centimetre': 1e-2,
    'km kilometer kilometre': 1000,
    'in inch inches': 0.0254,
    'ft foot feet': 0.3048,
    'yd yard': 0.9144,
    'mi mile': 1609.344,
    'nmi nauticalMile': 1852,
  },
  area: {
    'm2 m² squareMeter': 1,
    'mm2 mm² squareMillimeter': 1e-6,
    'cm2 cm² squareCentimeter': 1e-4,
    'km2 km² squareKilometer': 1e6,
    'ha hectare': 1e4,
    'in2 in² squareInch': 0.00064516,
    'ft2 ft² squareFoot': 0.09290304,
    'yd2 yd² squareYard': 0.83612736,
    'ac acre': 4046.8564224,
    'mi2 mi² squareMile': 2589988.110336,
  },
  duration: {
    's second': 1,
    'ns nanosecond': 1e-9,
    'µs us microsecond': 1e-6,
    'ms millisecond': 1e-3,
    'min minute': 60,
    'h hour': 3600,
    'd day': 86_400,
    week: 604_800,
  },
  speed: { 'm/s': 1, 'km/h kph': 1 / 3.6, mph: 0.44704, 'kn knot': 1852 / 3600, 'ft/s': 0.3048 },
  angle: { 'deg ° degree': 1, 'rad radian': 180 / pi, 'grad gon': 0.9, turn: 360 },
  percentage: { 'decimal share': 1, '% percent': 0.01, '‰ permille': 0.001, ppm: 1e-6 },
  concentration: { 'µg/m³ ug/m3 microgram': 1, 'mg/m³ mg/m3 milligram': 1000, 'g/m³ g/m3': 1e6 },
  mass: {
    'kg kilogram': 1,
    mg: 1e-6,
    'g gram': 1e-3,
    't tonne': 1000,
    'lb pound': 0.45359237,
    'oz ounce': 0.028349523125,
  },
  volume: {
    'l liter litre': 1,
    'ml milliliter': 1e-3,
    'm3 m³ cubicMeter': 1000,
    'ft3 ft³ cubicFoot': 28.316846592,
    'gal gallon': 3.785411784,
  },
}

/** Relative to degrees Celsius: factor and offset. */
const temperatures: Record<string, [factor: number, offset: number]> = {
  'c °c celsius': [1, 0],
  'k kelvin': [1, -273.15],
  'f °f fahrenheit': [5 / 9, -160 / 9],
}

const units = new Map<string, Unit>([
  ...Object.entries(temperatures).flatMap(([names, [factor, offset]]) =>
    unitNames(names, { kind: 'temperature', factor, offset }),
  ),
  ...Object.entries(kinds).flatMap(([kind, table]) =>
    Object.entries(table).flatMap(([names, factor]) => unitNames(names, { kind, factor })),
  ),
])

function unitNames(names: string, unit: Unit): [string, Unit][] {
  return names.split(' ').map((name) => [toUnitKey(name), unit])
}

/** Ignores case and the s of a plural. µ has two code points. */
function toUnitKey(name: string): string {
  const key = name.trim().toLowerCase().replace('\u03bc', 'µ')
  return key.length > 3 && key.endsWith('s') ? key.slice(0, -1) : key
}

/** Converts a number to another unit, to fifteen digits; a sentence for an unknown or incompatible unit. */
export function convert(number: number, from: string, to: string): number | string {
  const [source, target] = [units.get(toUnitKey(from)), units.get(toUnitKey(to))]
  if (!source || !target) return `Not a known unit: ${(source ? to : from).slice(0, 40)}`
  if (source.kind !== target.kind) return `${from} is a ${source.kind} and ${to} a ${target.kind}.`
  if (source === target) return number
  const result = (number * source.factor + (source.offset ?? 0) - (target.offset ?? 0)) / target.factor
  // The last digits of a product of doubles are not part of the measurement.
  return Number(result.toPrecision(15))
}
