const words = new Set(
  (
    'select from where group by order asc desc limit offset as on and or not null is distinct true false case when ' +
    'then else end in any all array between like ilike filter within cross left inner join lateral union with ' +
    'ordinality at time zone interval exists over values using ' +
    'text numeric double precision boolean timestamptz bigint integer jsonb geography geometry ' +
    'count min max sum avg percentile_cont round mod nullif now make_interval months days secs date_trunc extract ' +
    'epoch hour isodow day doy week month quarter year decade unnest to_jsonb to_char jsonb_agg coalesce least ' +
    'greatest lower array_to_string row_number jsonb_build_array jsonb_object_agg jsonb_each_text jsonb_array_elements_text ' +
    'dates item place value part id call t j1 j2 j3 crew ' +
    'st_area st_length st_distance st_intersects st_makevalid st_geomfromgeojson st_unaryunion st_makeenvelope ' +
    'st_makepoint st_setsrid st_asgeojson'
  ).split(' '),
)
const names =
  /^"(c\d+|r\d+|shared\d+|value|place|part|id|source_id|created_at|updated_at|type|officer|cost|tax|received_at|answered_at|urgent|tags|scores|meta|size|leader|skills|seen|call|crew|t|j[123])"$/
const texts =
  /^'(second|minute|hour|day|week|month|quarter|year|decade|UTC|YYYY-MM-DD"T"HH24:MI:SS\.MS"Z"|null|)'$/
const token =
  /\s+|"(?:[^"]|"")*"|'(?:[^']|'')*'|\$\d+|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d+)?|::|<>|<=|>=|!~\*|!~|~\*|&&|@>|<@|#>>|[-+*/%=<>~().,[\]]/gy

/**
 * Tokens of a statement that the query language never writes itself: words, names and quoted texts that are in none of
 * its lists, and characters that start no known SQL token (a semicolon, a comment, a backslash).
 */
export function strangers(text: string): string[] {
  const unknownParts: string[] = []
  let at = 0
  token.lastIndex = 0
  while (at < text.length) {
    token.lastIndex = at
    const part = token.exec(text)?.[0]
    if (part === undefined) return [...unknownParts, text.slice(at, at + 20)]
    at += part.length
    if (!isKnown(part)) unknownParts.push(part)
  }
  return text.includes('--') || text.includes('/*') ? [...unknownParts, 'a comment'] : unknownParts
}

function isKnown(part: string): boolean {
  if (part.startsWith('"')) return names.test(part)
  if (part.startsWith("'")) return texts.test(part)
  return /^[A-Za-z_]/.test(part) ? words.has(part.toLowerCase()) : true
}
