import { escapeHtml } from '#functions/shapes/html-text.ts'

/** The maximal lengths of a name and of a description. */
const longestName = 16
const longestDescription = 1024

/** The OpenSearch 1.1 description of a hub's search in one language, for browsers. `home` and `icon` are absolute URLs. */
export function openSearch(search: {
  name: string
  description: string
  /** The page of results. */
  results: string
  icon: string
  language: string
}): string {
  const { name, description, results, icon, language } = search
  const short = name.length <= longestName ? name : `${name.slice(0, longestName - 1).trimEnd()}…`
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeHtml(short)}</ShortName>
<Description>${escapeHtml(description.slice(0, longestDescription))}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Language>${escapeHtml(language)}</Language>
<Image width="32" height="32" type="image/x-icon">${escapeHtml(icon)}</Image>
<Url type="text/html" method="get" template="${escapeHtml(results)}?search={searchTerms}"/>
</OpenSearchDescription>
`
}
