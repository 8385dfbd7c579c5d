export const SimulatedLabel = () => (
  <span class="simulated-mark" title="Made up by the demo">
    simulated
  </span>
);
