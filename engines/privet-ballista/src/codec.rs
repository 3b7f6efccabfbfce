//! Our operator on the wire; all others as Ballista writes them.

use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::common::{Result, plan_err};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use crate::cells::CellsExec;
use crate::key::Order;

/// Writes and reads [`CellsExec`].
#[derive(Debug, Default)]
pub struct Codec(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (Order::decode(bytes), inputs) {
            (Some(order), [input]) => {
                Ok(Arc::new(CellsExec::new(Arc::new(order), Arc::clone(input))))
            }
            (Some(_), _) => plan_err!("a task has one input"),
            (None, _) => self.0.try_decode(bytes, inputs, context, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        match node.downcast_ref::<CellsExec>() {
            Some(cells) => {
                bytes.extend(cells.order().encode());
                Ok(())
            }
            None => self.0.try_encode(node, bytes, converter),
        }
    }
}
