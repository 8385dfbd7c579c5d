/** ISO 8601 with milliseconds. All texts have the same length, so they sort by time. @param time milliseconds */
export const toIsoTime = (time: number): string => new Date(time).toISOString();
