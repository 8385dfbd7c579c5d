export const DATA_PATH = '/admin/data';

export type DataTab = 'waiting' | 'duplicates' | 'acts';

export const dataTabOf = (text: string): DataTab => (text === 'duplicates' || text === 'acts' ? text : 'waiting');
