/** Whether a text is the name of an IANA time zone: `Area/Place`, or a name without an area. */
export function isZoneName(name: string): boolean {
  const withoutArea =
    /^(CET|CST6CDT|Cuba|EET|EST|EST5EDT|Egypt|Eire|GB|GB-Eire|GMT|GMT\+0|GMT-0|GMT0|Greenwich|HST|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Kwajalein|Libya|MET|MST|MST7MDT|NZ|NZ-CHAT|Navajo|PRC|PST8PDT|Poland|Portugal|ROC|ROK|Singapore|Turkey|UCT|UTC|Universal|W-SU|WET|Zulu)$/i
  const isArea =
    /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\//i
  if (!withoutArea.test(name) && (!isArea.test(name) || /^us\/pacific-new$|^etc\/unknown$/i.test(name)))
    return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
