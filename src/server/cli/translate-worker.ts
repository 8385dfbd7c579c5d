import '../composition/install-leagues.ts';

// Only then, since it makes tables of the catalogue as it loads.
await import('./translate-in-thread.ts');
