const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** Formats a size in bytes for a language: `1.2 MB`, `1,2 Mo`. */
export function formatBytes(bytes: number, locale = 'en'): string {
  let [size, at] = [bytes, 0]
  while (size >= 1000 && at < byteUnits.length - 1) [size, at] = [size / 1000, at + 1]
  return size.toLocaleString(locale, {
    style: 'unit',
    unit: byteUnits[at],
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: size < 10 && at > 0 ? 1 : 0,
  })
}
