/** The pattern of `like`, `$like` and `$iLike` for texts that contain this one; what patterns give a meaning is escaped. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
