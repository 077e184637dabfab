import { numberMeasurements, type Measurement } from '#functions/shapes/field.ts'

/** A unit that the head of a column names, and the measurement that it is the unit of, where fields can have that. */
interface HeadUnit {
  unit: string
  measurement?: Measurement
}

/** Units without a measurement, as written. Single letters are case-sensitive, others not. */
const others =
  '°F K m/s mph kn ft/s in inches ft feet yd mi miles nmi ha acres ft² mi² yd² kg g mg t lb lbs oz l L ml m³ ft³ gal kWh MWh GWh W kW ' +
  'MW GW V A Hz kHz MHz Pa hPa kPa bar psi inHg dB dBA ppm ppb % ‰ mg/l µg/l mg/kg mg/m³ µS/cm NTU l/s m³/s cfs ft³/s kg/ha t/ha kJ ' +
  'MJ kcal MB GB Mbit/s £ GBP CHF JPY ¥ days weeks months years'

/** Other ways of writing a unit, by the usual one. */
const aliases: Record<string, string> = {
  '°c': '°C degc celsius',
  '°f': 'degf fahrenheit',
  'km/h': 'kmh kph',
  'µg/m³': 'ug/m³',
  $: 'usd us$',
  '€': 'eur euro euros',
  mm: 'millimeters millimetres',
  cm: 'centimeters centimetres',
  m: 'meters metres',
  km: 'kilometers kilometres',
  s: 'seconds sec secs',
  min: 'minutes mins',
  h: 'hours hrs',
  '%': 'percent',
}

const units = new Map<string, HeadUnit>()
for (const unit of others.split(' ')) units.set(toUnitKey(unit), { unit })
for (const type of ['distance', 'duration', 'speed', 'area', 'temperature', 'angle', 'concentration'])
  for (const [value, unit] of Object.entries(numberMeasurements[type] ?? {}))
    units.set(toUnitKey(unit), { unit, measurement: { type, value } })
for (const [unit, value] of [
  ['$', 'usd'],
  ['€', 'eur'],
] as const)
  units.set(unit, { unit, measurement: { type: 'currency', value } })
for (const [unit, names] of Object.entries(aliases)) {
  const entry = units.get(unit)
  if (entry) for (const name of names.split(' ')) units.set(toUnitKey(name), entry)
}

/** Case-insensitive with more than one letter, m2 and m^2 as m²; µ has two code points. */
function toUnitKey(text: string): string {
  const unit = text
    .normalize('NFC')
    .replaceAll('\u03bc', 'µ')
    .replace(/(?<=[a-z])\^?2(?![0-9])/gi, '²')
    .replace(/(?<=[a-z])\^?3(?![0-9])/gi, '³')
  return unit.length > 1 ? unit.toLowerCase() : unit
}

/** Whether the end of a header without brackets can only be a unit. */
const isUnmistakable = (token: string) =>
  /[°/²³µ%‰$€£]/.test(token) || /^(?:km|kg|mm|cm|kwh|mwh|hpa|mph|ppm|ppb|kmh|kph)$/i.test(token)

/**
 * The unit in a column header: `Speed (km/h)`, `Speed [km/h]`, `Distance in km`, `Höchsttemperatur °C`, `distance_km`;
 * null without a known one. `Vehicle(s)` has no seconds.
 */
export function headUnit(header: string): HeadUnit | null {
  const head = header.trim()
  const [, inside] = /[\s_][([]\s*([^()[\]]{1,20}?)\s*[)\]]$/u.exec(head) ?? []
  const [, unitText] = /\s(?:in|en|em)\s+(\S{1,12})$/iu.exec(head) ?? []
  const [, last] = /[\s_](\S{1,10}?)$/u.exec(head) ?? []
  const token = inside ?? unitText ?? (last !== undefined && isUnmistakable(last) ? last : undefined)
  return token === undefined ? null : (units.get(toUnitKey(token)) ?? null)
}
